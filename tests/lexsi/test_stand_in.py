"""The stand-in answers every route that the tools touch."""

from __future__ import annotations

from tests.lexsi_server.routes import ROUTES
from tests.lexsi_server.server import CHAT, DOWNLOAD, POLL, UPLOAD

TOUCHED = """
POST v2/access-token/authorize
GET v2/organization/user_organization
GET v2/users/workspaces
GET v2/project/details/workspace
POST v2/users/create_project
GET v2/users/get_xai_config
POST v2/project/uploadfile_with_info
POST v2/project/get_Uploaded_file_info
GET v2/project/get_all_uploaded_files
POST v2/project/delete_data
GET v2/project/server_types
GET v2/users/automl_custom_servers
POST v2/project/upload_data_with_check
POST v2/project/upload_data
GET v2/events/poll
POST v2/events/fetch
GET v2/ai-models/get_all_models
POST v2/users/xai_config_update
GET v2/project/get_all_available_tags_info
POST v2/ai-models/run_model_on_data
GET v2/ai-models/download_tag_data
POST v2/ai-models/get_case_info_components
POST v2/agents/explainability_summary
POST v2/linkservices/create
POST gateway/v1/chat/completions
""".split("\n")[1:-1]


def test_each_route_is_there() -> None:
    there = {f"{method} {path}" for method, path in ROUTES}
    there |= {f"POST {UPLOAD}", f"GET {POLL}", f"GET {DOWNLOAD}", f"POST {CHAT}"}
    assert [route for route in TOUCHED if route not in there] == []
    assert len(TOUCHED) == 25
