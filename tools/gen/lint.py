"""Style lint."""
from .model import Spec
def check(spec: Spec) -> list[str]:
    return []
