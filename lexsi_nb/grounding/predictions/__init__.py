"""Plans of predictive questions, and questions for explanations: target, entity, populations, features."""
