"""A stand-in for the Lexsi platform on this machine: the routes that the real `lexsi-sdk` calls, with state and faults.

It is not the service: response shapes are what the client reads. Models are trained for real, by the embedded backend.
"""
