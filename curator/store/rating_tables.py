"""The rows of human ratings, as SQLModel classes; see `store.tables`."""

from __future__ import annotations

from sqlmodel import Field, SQLModel


class RatingSampleRow(SQLModel, table=True):
    """Outputs of a run over a released version that were drawn for people to rate. `strata`: length, cases, drawn."""

    __tablename__ = "rating_sample"
    id: int = Field(primary_key=True)
    seq: int
    suite: str
    version: str
    run: str
    system: str
    run_sha256: str
    seed: int
    actor: str
    at: str
    strata: str = "[]"


class RatingItemRow(SQLModel, table=True):
    """One output of a sample; `earlier`: what was answered at the earlier turns."""

    __tablename__ = "rating_item"
    sample: int = Field(primary_key=True)
    place: int = Field(primary_key=True)
    case_id: str
    side: str
    length_stratum: str
    behavior: str = ""
    output: str
    earlier: str = "[]"


class RatingRow(SQLModel, table=True):
    """What one person said of one output; 0 = not said yet."""

    __tablename__ = "rating"
    sample: int = Field(primary_key=True)
    case_id: str = Field(primary_key=True)
    actor: str = Field(primary_key=True)
    at: str
    completeness: int = 0
    accuracy: int = 0
    note: str = ""


class RaterRow(SQLModel, table=True):
    """A person who rates a sample: when they began, finished, saw the results; "" = not yet."""

    __tablename__ = "rater"
    sample: int = Field(primary_key=True)
    actor: str = Field(primary_key=True)
    begun_at: str
    finished_at: str = ""
    saw_at: str = ""
