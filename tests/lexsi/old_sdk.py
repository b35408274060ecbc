"""The north star's calls by another version of the SDK, in a process of its own: `old_sdk.py FOLDER VERSION`.

With a third argument the north-star question itself is asked, of the synthetic bank.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, sys.argv[1])  # before the version that is installed

import numpy as np
import pandas as pd

from lexsi_nb.app.session import Session
from lexsi_nb.modeling.backend import TrainSpec
from lexsi_nb.modeling.lexsi import sdk
from lexsi_nb.modeling.lexsi.failures import JobFailed
from tests.lexsi_server.platform import SDK_TOKEN
from tests.lexsi_server.server import running

draw = np.random.default_rng(0)
x = draw.normal(size=120)
known = pd.DataFrame({"id": range(120), "x": x, "bad": (x + draw.normal(size=120) > 0.5).astype(int)})
new = known.drop(columns="bad").head(20).assign(id=lambda f: f["id"] + 1000)
spec = TrainSpec(target="bad", entity="id", frame_name="known")

with running() as server:
    os.environ |= {"XAI_API_URL": server.url, "SDK_ACCESS_TOKEN": SDK_TOKEN, "LEXSI_NB_OFFLINE": "1"}
    backend = Session(backend="lexsi", namespace={}).backend().in_project("agentclass0123abcd")
    trained = backend.train(known, spec)
    found = sdk.load()
    assert found.version == sys.argv[2], found.version
    assert found.note == ""
    predicted = backend.predict(trained, new, frame_name="new")
    assert len(predicted.frame) == 20
    ids = predicted.frame["id"].head(3).tolist()
    assert backend.explain(trained, new, ids, frame_name="new").frame["id"].tolist() == ids
    assert backend.told(trained, new, ids[:1])[str(ids[0])].summary
    backend.train(known.assign(bad=1 - known["bad"]), spec)
    bodies = [
        s.body for p in ("project/upload_data_with_check", "users/xai_config_update") for s in server.to(f"v2/{p}")
    ]
    assert len(bodies) == 2
    assert all("pred_label" not in b for b in bodies)
    assert server.to("v2/project/delete_data") == []
    server.faults.job = ""
    said = ""
    try:
        backend.in_project("agentclass4567abcd").train(known, spec)
    except JobFailed as error:
        said = str(error)
    assert (">=2 classes" if found.logs else "The platform gave no reason.") in said, said
    if len(sys.argv) > 3:
        from lexsi_nb import datasets
        from lexsi_nb.__main__ import QUESTION

        server.faults.job = None
        acts = ("train_tabular_model", "predict", "explain_prediction")
        session = Session(backend="lexsi", dataset=datasets.bank(), namespace={}, replay="off")
        run = session.ask(QUESTION, approve=acts)
        assert run.status == "answered", run.answer
        assert (run.backend, len(session.namespace["attributions"])) == ("lexsi", 10)
    print("ok", found.version, found.compute, found.deletes_upload, found.logs)
