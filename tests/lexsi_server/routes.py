"""What each route of the stand-in answers. `(platform, query, body) -> JSON`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.lexsi_server.learning import read
from tests.lexsi_server.platform import SDK_TOKEN, Platform, Project, Refused

Query = dict[str, str]
Body = dict[str, Any]
Route = Callable[[Platform, Query, Body], Any]
CLASSIC = ["XGBoost", "LGBoost", "CatBoost", "RandomForest", "LogisticRegression"]
FOUNDATION = ["TabPFN", "TabICL"]
ROUTES: dict[tuple[str, str], Route] = {}


def route(method: str, path: str) -> Callable[[Route], Route]:
    """Return a decorator that enters a function under its route."""

    def enter(function: Route) -> Route:
        ROUTES[method, path] = function
        return function

    return enter


def ok(**more: Any) -> dict[str, Any]:
    """Return an answer that says it went well."""
    return {"success": True, **more}


@route("POST", "v2/access-token/authorize")
def authorize(p: Platform, q: Query, b: Body) -> Any:
    if b.get("access_token") != SDK_TOKEN:
        raise PermissionError("Invalid access token")
    return {"access_token": p.jwt()}


@route("GET", "v2/organization/user_organization")
def organizations(p: Platform, q: Query, b: Body) -> Any:
    mine = {"organization_id": "o1", "name": "Acme", "created_by": "tester", "created_at": "2026-01-01"}
    return ok(details=[mine], current_user={"username": "tester", "created_at": "2026-01-01"})


@route("GET", "v2/users/workspaces")
def workspaces(p: Platform, q: Query, b: Body) -> Any:
    return ok(details=[
        {"created_by": "tester", "user_workspace_name": u, "workspace_name": n, "created_at": "2026-01-01"}
        for u, n in p.workspaces.items()
    ])  # fmt: skip


@route("POST", "v2/users/create_workspace")
def create_workspace(p: Platform, q: Query, b: Body) -> Any:
    name = b["workspace_name"]
    p.workspaces[name] = f"{name}_1"
    made = {"created_by": "tester", "user_workspace_name": name, "workspace_name": f"{name}_1", "created_at": "now"}
    return ok(workspace_details=made)


@route("GET", "v2/project/details/workspace")
def projects(p: Platform, q: Query, b: Body) -> Any:
    mine = [x.described() for x in p.projects.values() if x.workspace_name == q["workspace_name"]]
    return ok(data={"projects": mine})


@route("POST", "v2/users/create_project")
def create_project(p: Platform, q: Query, b: Body) -> Any:
    name = b["project_name"]
    if any(x.user_project_name == name for x in p.projects.values()):
        raise Refused("Project name exists already")
    made = Project(f"{name}_internal", name, b["workspace_name"], b["modality"])
    p.projects[made.project_name] = made
    return ok(details=made.described())


@route("POST", "v2/users/project_config_update")
def delete_project(p: Platform, q: Query, b: Body) -> Any:
    del p.projects[p.project(b["project_name"]).project_name]
    return ok(details="Project deleted")


@route("GET", "v2/users/get_xai_config")
def config(p: Platform, q: Query, b: Body) -> Any:
    held = p.project(q["project_name"]).config
    return ok(details=json.loads(json.dumps(held)) if held else "Not Found")


@route("POST", "v2/project/get_Uploaded_file_info")
def file_info(p: Platform, q: Query, b: Body) -> Any:
    csv = next(x.files[b["path"]] for x in p.projects.values() if b["path"] in x.files)
    return ok(details={"column_names": list(read(csv).columns)})


@route("GET", "v2/project/get_all_uploaded_files")
def files(p: Platform, q: Query, b: Body) -> Any:
    paths = p.project(q["project_name"]).files
    rows = [{"filepath": f, "status": "active", "metadata": {}, "project_name": "", "version": 1} for f in paths]
    return ok(details=rows or None)


@route("POST", "v2/project/delete_data")
def delete_data(p: Platform, q: Query, b: Body) -> Any:
    p.project(b["project_name"]).files.pop(b["path"], None)
    return ok(details="Deleted")


@route("GET", "v2/project/server_types")
def server_types(p: Platform, q: Query, b: Body) -> Any:
    return [{"name": "small", "instance_name": "small"}, {"name": "T4", "instance_name": "T4.small", "gpu": "T4"}]


@route("GET", "v2/users/automl_custom_servers")
def batch_servers(p: Platform, q: Query, b: Body) -> Any:
    gpu = [{"instance_name": "T4.small"}]
    return ok(details=[{"instance_name": "small"}, {"instance_name": "medium"}], available_gpu_custom_servers=gpu)


@route("POST", "v2/project/upload_data_with_check")
def upload_and_train(p: Platform, q: Query, b: Body) -> Any:
    project, meta = p.project(b["project_name"]), b["metadata"]
    if "pred_label" in b and b["pred_label"] is None:
        raise Refused("KeyError: 'pred_label'")
    project.tags[meta["tag"]] = meta["path"]
    project.config = {
        "unique_identifier": b["unique_identifier"], "true_label": b["true_label"],
        "metadata": {**meta, "test_tags": [], "use_optuna": False},
    }  # fmt: skip
    job = p.new_job(project, lambda: p.learn(project, meta["tags"], project.config or {}, meta.get("model")))
    return ok(event_id=job.id, details="Training started")


@route("POST", "v2/project/upload_data")
def upload_data(p: Platform, q: Query, b: Body) -> Any:
    p.project(b["project_name"]).tags[b["tag"]] = b["path"]
    return ok(details="Uploaded")


@route("POST", "v2/users/xai_config_update")
def train(p: Platform, q: Query, b: Body) -> Any:
    project, meta = p.project(b["project_name"]), b["metadata"]
    if "pred_label" in b and b["pred_label"] is None:
        raise Refused("KeyError: 'pred_label'")
    job = p.new_job(project, lambda: p.learn(project, meta["tags"], b, meta["model"]))
    return ok(event_id=job.id, details="Training started")


@route("POST", "v2/events/fetch")
def events(p: Platform, q: Query, b: Body) -> Any:
    mine = [j for j in p.jobs.values() if j.project == b["project_name"] and b.get("event_id") in (None, j.id)]
    return ok(details=[{"event_id": j.id, "status": j.status, "message": j.message, "params": {}} for j in mine[::-1]])


@route("GET", "v2/ai-models/get_logs")
def logs(p: Platform, q: Query, b: Body) -> Any:
    return ok(details={"logs": p.project(q["project_name"]).log or "No logs found"})


@route("GET", "v2/ai-models/get_all_models")
def models(p: Platform, q: Query, b: Body) -> Any:
    names = list(p.project(q["project_name"]).models)
    staged = [
        {"model_name": n, "status": "active" if n == names[-1] else "staged", "model_provider": "Lexsi"} for n in names
    ]
    return ok(details={
        "staged": staged, "available": [{"model_name": m} for m in CLASSIC],
        "foundation_models": [{"model_name": m} for m in FOUNDATION],
    })  # fmt: skip


@route("GET", "v2/project/get_all_available_tags_info")
def tags(p: Platform, q: Query, b: Body) -> Any:
    names = list(p.project(q["project_name"]).tags)
    return ok(details={"arya_tags": [], "user_tags": names, "alltags": names})


@route("POST", "v2/ai-models/run_model_on_data")
def infer(p: Platform, q: Query, b: Body) -> Any:
    project = p.project(b["project_name"])
    if not b["instance_type"]:
        raise Refused("instance_type is missing")
    return ok(event_id=p.new_job(project, lambda: p.infer(project, b["tags"], b["model_name"])).id)


@route("POST", "v2/ai-models/get_case_info_components")
def case(p: Platform, q: Query, b: Body) -> Any:
    project = p.project(b["project_name"])
    if b["unique_identifier"] == p.faults.bad_case:
        raise Refused(f"Explanation of {p.faults.bad_case} failed")
    frame = read(project.files[project.tags[b["tag"]]])
    with p.at_once.one(), p.lock:
        p.closing.wait(p.faults.case_seconds)
        details = project.models[b["model_name"]].case(
            frame, b["unique_identifier"], (project.config or {})["true_label"]
        )
    if p.faults.null_true_value:
        details["true_value"] = None
    if p.faults.fractional_pred_value:
        details["pred_value"] = 0.75
    return ok(details={**details, "model_name": b["model_name"]})


@route("POST", "v2/agents/explainability_summary")
def summary(p: Platform, q: Query, b: Body) -> Any:
    return ok(details=f"What the platform says about case {b['viewed_case_id'][1:]}.")


def owner(p: Platform, q: Query) -> str:
    """Return who a connector belongs to: a project, an organisation, or nobody."""
    return p.project(q["project_name"]).project_name if "project_name" in q else q.get("organization_id", "")


@route("POST", "v2/linkservices/create")
def create_connector(p: Platform, q: Query, b: Body) -> Any:
    if p.faults.connector_not_made:
        return ok(details="The keys were refused")  # the client returns it as it returns a success
    p.connectors[owner(p, q), q["link_service_name"]] = {"type": b["link_service_type"], **b["link_service"]}
    return ok(details="Created")


@route("POST", "v2/linkservices/list")
def connectors(p: Platform, q: Query, b: Body) -> Any:
    mine = [(n, c) for (o, n), c in p.connectors.items() if o == owner(p, q)]
    return ok(details=[{"_id": "1", "link_service_name": n, "link_service_type": c["type"]} for n, c in mine])


@route("POST", "v2/linkservices/test_connection")
def test_connector(p: Platform, q: Query, b: Body) -> Any:
    held = p.connectors[owner(p, q), q["link_service_name"]]
    if p.faults.connector_fails:
        raise Refused(f"{held['secret_key']} does not open anything")
    return ok(details="Connection successful")


@route("POST", "v2/linkservices/delete")
def delete_connector(p: Platform, q: Query, b: Body) -> Any:
    p.connectors.pop((owner(p, q), q["link_service_name"]), None)
    return ok(details="Deleted")
