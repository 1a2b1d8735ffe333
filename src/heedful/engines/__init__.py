"""Batch jobs over large inputs: a plan of parts that worker processes execute."""
