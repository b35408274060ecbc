"""The grounding for a planner with a model: schema linking for its prompt, checks of its SQL."""
