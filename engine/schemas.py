"""JSON Schemas of the file kinds and of the protocols, made from their models.

`python -m engine.schemas FOLDER` writes them; a test holds the shipped ones current.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec

from engine.core import lan_protocol, protocol, record
from engine.core.agreement import DrawAnswered, DrawAsked
from engine.core.files import schema
from engine.core.takeback import TakebackAnswered, TakebackAsked
from engine.fortress import floorplan
from engine.raid import events, scenario
from engine.raid.match import GameChoice
from engine.raid.view import View

REFERENCE = "#/$defs/{name}"


def schemas() -> dict[str, dict[str, Any]]:
    """Return each schema by its file's name."""
    return {
        "map.json": schema(floorplan.FloorPlan, floorplan.KIND, floorplan.VERSION, "A map of Kung Fu 2100"),
        "scenario.json": _scenario(),
        "record.json": _record(),
        "protocol.json": _protocol(
            f"The text protocol of kungfu2100, version {protocol.VERSION}",
            "A line in either direction: a Request from the client, an Answer from the engine.",
            get_args(protocol.AnyRequest),
            get_args(protocol.AnyAnswer),
        ),
        "lan-protocol.json": _lan_protocol(),
    }


def _scenario() -> dict[str, Any]:
    return schema(scenario.Scenario, scenario.KIND, scenario.VERSION, "A scenario of Kung Fu 2100")


def _record() -> dict[str, Any]:
    """Return the schema of a record: a choice is one of the raid's, the scenario one with its map."""
    made = schema(record.Record, record.KIND, record.VERSION, "A game of Kung Fu 2100")
    inner = _scenario()
    made["$defs"] |= _definitions(get_args(GameChoice)) | inner.pop("$defs")
    made["$defs"]["Choice"] = _any_of(get_args(GameChoice))
    made["$defs"]["Scenario"] = {key: value for key, value in inner.items() if not key.startswith("$")}
    made["$defs"]["RecordedChoice"]["properties"]["choice"] = _reference("Choice")
    made["properties"]["scenario"] = _reference("Scenario")
    return made


def _lan_protocol() -> dict[str, Any]:
    """Return the schema of the messages between a host and its guests."""
    made = _protocol(
        f"The network protocol of kungfu2100, version {lan_protocol.LAN_VERSION}",
        "A message in either direction: a Request from a guest, an Answer from the host.",
        get_args(lan_protocol.LanRequest),
        get_args(lan_protocol.LanAnswer),
    )
    definitions = made["$defs"]
    definitions["Told"]["properties"]["events"]["items"] = _reference("Event")
    definitions["UpdateAnswer"]["properties"]["views"]["additionalProperties"] = _reference("View")
    definitions["Missed"]["properties"]["before"] = _reference("View")
    return made


def _protocol(
    title: str, description: str, requests: tuple[Any, ...], answers: tuple[Any, ...]
) -> dict[str, Any]:
    """Return the schema of a protocol's messages: each is a Request or an Answer."""
    kinds = [
        *events.RaidEvent.__subclasses__(),
        TakebackAsked,
        TakebackAnswered,
        DrawAsked,
        DrawAnswered,
    ]
    definitions = _definitions((*requests, *answers, *get_args(GameChoice), *kinds, View))
    definitions |= {
        "Choice": _any_of(get_args(GameChoice)),
        "Event": _any_of(kinds),
        "Request": _any_of(requests),
        "Answer": _any_of(answers),
    }
    for name in ("ChooseRequest", "WhyRequest", "Option"):
        definitions[name]["properties"]["choice"] = _reference("Choice")
    definitions["EventsAnswer"]["properties"]["events"]["items"] = _reference("Event")
    definitions["ViewAnswer"]["properties"]["view"] = _reference("View")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": description,
        "anyOf": [_reference("Request"), _reference("Answer")],
        "$defs": dict(sorted(definitions.items())),
    }


def _definitions(types: tuple[Any, ...]) -> dict[str, Any]:
    _, components = msgspec.json.schema_components(types, ref_template=REFERENCE)
    return components


def _reference(name: str) -> dict[str, str]:
    return {"$ref": REFERENCE.format(name=name)}


def _any_of(types: Any) -> dict[str, Any]:
    return {"anyOf": [_reference(type_.__name__) for type_ in types]}


def format_schema(made: dict[str, Any]) -> str:
    """Return the text of a schema file."""
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name, made in schemas().items():
        Path(sys.argv[1], name).write_text(format_schema(made), encoding="utf-8", newline="\n")
