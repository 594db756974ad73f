# SPDX-License-Identifier: Apache-2.0
"""A badge with the verdict, as data for a badge server and as an image."""

from __future__ import annotations

import html
import json

from .schema import Report

_COLORS = {"full": "#2e7d32", "multi": "#4c8c2b", "single": "#7a8b16", "minimal": "#9a7d0a"}
_FAILED, _UNKNOWN = "#b3261e", "#5f6368"
_CHARACTER, _PADDING = 6.6, 12.0  # in a sans-serif face of 11 pixels


def _message(report: Report) -> tuple[str, str]:
    if report.highest is not None:
        return report.highest, _COLORS[report.highest]
    failed = any(verdict.ruling == "fail" for verdict in report.verdicts.values())
    return ("failing", _FAILED) if failed else ("incomplete", _UNKNOWN)


def _label(report: Report) -> str:
    return f"olympus conformance {report.facts.suite_version}"


def badge_json(report: Report) -> str:
    """The badge in the JSON form of shields.io's endpoint badges."""
    message, color = _message(report)
    data = {"schemaVersion": 1, "label": _label(report), "message": message, "color": color.lstrip("#")}
    return json.dumps(data) + "\n"


def badge_svg(report: Report) -> str:
    """The badge as an SVG image."""
    message, color = _message(report)
    label = _label(report)
    left, right = (round(len(text) * _CHARACTER + _PADDING) for text in (label, message))
    width = left + right
    label, message = html.escape(label), html.escape(message)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" \
aria-label="{label}: {message}">
<title>{label}: {message}</title>
<clipPath id="r"><rect width="{width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#444"/>
<rect x="{left}" width="{right}" height="20" fill="{color}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="{left / 2}" y="14" textLength="{left - _PADDING:g}">{label}</text>
<text x="{left + right / 2}" y="14" textLength="{right - _PADDING:g}">{message}</text></g>
</svg>
"""
