"""What stands behind the stand-in: models that the embedded backend trains, scores and explains."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd

from lexsi_nb.modeling.backend import TrainSpec
from lexsi_nb.modeling.embedded import EmbeddedBackend


def read(csv: bytes) -> pd.DataFrame:
    """Return an uploaded file as a frame."""
    return pd.read_csv(io.BytesIO(csv))


class Learned:
    """One trained model."""

    def __init__(self, frame: pd.DataFrame, *, id: str, label: str, features: list[str]) -> None:
        if frame[label].nunique() < 2:
            raise ValueError("Target must have >=2 classes (#03-013)")
        self.regression = frame[label].nunique() > 2
        self.id, self.features, self.rows = id, features, frame
        spec = TrainSpec(
            target=label, entity=id, features=tuple(features), repeats=1, calibrate=False,
            task="regression" if self.regression else "classification",
        )  # fmt: skip
        self.backend = EmbeddedBackend()
        self.trained = self.backend.train(frame, spec)

    def inference(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the uploaded rows with the columns that the service adds."""
        scored = self.backend.predict(self.trained, frame).frame.set_index(self.id)
        score = scored["prediction" if self.regression else "probability"].loc[frame[self.id]].to_numpy()
        if self.regression:
            return frame.assign(Predicted_value_AutoML=score)
        return frame.assign(Predicted_value_AutoML=(score >= 0.5).astype(int), pred_proba_AutoML=score)

    def case(self, frame: pd.DataFrame, case: str, label: str) -> dict[str, Any]:
        """Return what the service tells about one case."""
        row = frame[frame[self.id].astype(str) == case]
        if row.empty:
            raise KeyError(case)
        explained = self.backend.explain(self.trained, frame, [row[self.id].iloc[0]])
        shap = {f: float(explained.frame[f].iloc[0]) for f in self.trained.features}
        scored = self.inference(row)
        known = self.rows.sample(min(3, len(self.rows)), random_state=0)
        value = scored["Predicted_value_AutoML"].iloc[0]
        true = row[label].iloc[0] if label in row else ""
        return {
            "status": "completed", "true_value": str(true), "pred_value": str(value), "pred_category": str(value),
            "observations": [], "shap_feature_importance": shap, "model_name": "",
            "similar_cases": known[self.id].astype(str).tolist(),
            "similar_cases_data": known.to_dict("records"), "data_id": f"d{case}", "data": row.iloc[0].to_dict(),
        }  # fmt: skip
