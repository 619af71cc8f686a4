"""The asynchronous pipeline: plan, stages, worker, metering, control."""
