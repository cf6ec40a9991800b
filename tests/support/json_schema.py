"""json_schema.py: checks a value by the part of JSON Schema that schemas/ uses.

An unknown keyword is a fault of the schema: nothing is silently left unchecked.
"""

import json
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
         "number": (int, float), "integer": int}
REMARKS = {"$schema", "$id", "$defs", "title", "description", "examples", "default"}


class SchemaFault(Exception):
    """The schema itself uses what this checker does not know."""


def _is_type(value, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def _same(left, right) -> bool:
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


class Checker:
    """One schema; faults(value) tells what is wrong with a value, [] when nothing is."""

    def __init__(self, schema: dict):
        self.root = schema

    def faults(self, value, schema: dict | None = None, place: str = "$") -> list:
        schema = self.root if schema is None else schema
        found = []
        for keyword, rule in schema.items():
            if keyword in REMARKS:
                continue
            method = getattr(self, "_" + keyword.removeprefix("$"), None)
            if method is None:
                raise SchemaFault("keyword %s is unknown here" % keyword)
            found += method(value, rule, schema, place)
        return found

    def _ref(self, value, rule, _, place):
        target = self.root
        for word in rule.removeprefix("#/").split("/"):
            target = target[word]
        return self.faults(value, target, place)

    def _type(self, value, rule, _, place):
        names = rule if isinstance(rule, list) else [rule]
        fits = any(_is_type(value, name) for name in names)
        return [] if fits else ["%s: must be %s" % (place, " or ".join(names))]

    def _enum(self, value, rule, _, place):
        fits = any(_same(value, item) for item in rule)
        return [] if fits else ["%s: must be one of %s" % (place, rule)]

    def _const(self, value, rule, _, place):
        return [] if _same(value, rule) else ["%s: must be %r" % (place, rule)]

    def _not(self, value, rule, _, place):
        return [] if self.faults(value, rule, place) else ["%s: must not be as it is" % place]

    def _oneOf(self, value, rule, _, place):
        fits = sum(not self.faults(value, choice, place) for choice in rule)
        return [] if fits == 1 else ["%s: fits %d of the choices" % (place, fits)]

    def _pattern(self, value, rule, _, place):
        wrong = isinstance(value, str) and re.search(rule, value) is None
        return ["%s: %r does not match %s" % (place, value, rule)] if wrong else []

    def _size(self, value, kind, place, low, high):
        if not isinstance(value, kind) or low <= len(value) <= high:
            return []
        return ["%s: has %d, may have %s to %s" % (place, len(value), low, high)]

    def _minLength(self, value, rule, _, place):
        return self._size(value, str, place, rule, float("inf"))

    def _maxLength(self, value, rule, _, place):
        return self._size(value, str, place, 0, rule)

    def _minItems(self, value, rule, _, place):
        return self._size(value, list, place, rule, float("inf"))

    def _maxItems(self, value, rule, _, place):
        return self._size(value, list, place, 0, rule)

    def _maxProperties(self, value, rule, _, place):
        return self._size(value, dict, place, 0, rule)

    def _minimum(self, value, rule, _, place):
        wrong = _is_type(value, "number") and value < rule
        return ["%s: must be at least %s" % (place, rule)] if wrong else []

    def _exclusiveMinimum(self, value, rule, _, place):
        wrong = _is_type(value, "number") and value <= rule
        return ["%s: must be above %s" % (place, rule)] if wrong else []

    def _maximum(self, value, rule, _, place):
        wrong = _is_type(value, "number") and value > rule
        return ["%s: must be at most %s" % (place, rule)] if wrong else []

    def _uniqueItems(self, value, rule, _, place):
        if not rule or not isinstance(value, list):
            return []
        items = [json.dumps(item, sort_keys=True) for item in value]
        return [] if len(set(items)) == len(items) else ["%s: an item is there twice" % place]

    def _items(self, value, rule, _, place):
        if not isinstance(value, list):
            return []
        return [fault for index, item in enumerate(value)
                for fault in self.faults(item, rule, "%s[%d]" % (place, index))]

    def _required(self, value, rule, _, place):
        if not isinstance(value, dict):
            return []
        return ["%s: %s is missing" % (place, key) for key in rule if key not in value]

    def _properties(self, value, rule, _, place):
        if not isinstance(value, dict):
            return []
        return [fault for key, part in rule.items() if key in value
                for fault in self.faults(value[key], part, "%s.%s" % (place, key))]

    def _propertyNames(self, value, rule, _, place):
        if not isinstance(value, dict):
            return []
        return [fault for key in value for fault in self.faults(key, rule, "%s.%s" % (place, key))]

    def _additionalProperties(self, value, rule, schema, place):
        if not isinstance(value, dict):
            return []
        others = [key for key in value if key not in schema.get("properties", {})]
        if rule is False:
            return ["%s: key %s is unknown" % (place, key) for key in others]
        if rule is True:
            return []
        return [fault for key in others
                for fault in self.faults(value[key], rule, "%s.%s" % (place, key))]
