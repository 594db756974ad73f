# SPDX-License-Identifier: Apache-2.0
"""Kubernetes' API server, asked with the pod's own account: within seconds, or not at all."""

from __future__ import annotations

import http.client
import json
import ssl
import urllib.parse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
_SECONDS = 3.0
_MOST_BYTES = 4 << 20
_FORBIDDEN = (http.client.UNAUTHORIZED, http.client.FORBIDDEN)


class ApiProblem(Exception):
    """What is asked is not told, or cannot be so; its text says why, and what would help."""


class KubernetesApi:
    """The API server of the pod's cluster.

    Args:
        environ: The environment variables, which tell its address.
        account: The folder where the pod finds its token, its namespace and the cluster's authority.

    Raises:
        ApiProblem: If the pod has no account.
    """

    def __init__(self, environ: Mapping[str, str], account: Path | None = None) -> None:
        folder = ACCOUNT if account is None else account
        self._host = environ["KUBERNETES_SERVICE_HOST"]
        self._port = int(environ.get("KUBERNETES_SERVICE_PORT_HTTPS") or environ.get("KUBERNETES_SERVICE_PORT") or 443)
        try:
            self._token = (folder / "token").read_text().strip()
            self.namespace = (folder / "namespace").read_text().strip()
            self._context = ssl.create_default_context(cafile=str(folder / "ca.crt"))
        except (OSError, ssl.SSLError) as error:
            raise ApiProblem(f"the API server is not asked: the pod has no account's token ({error})") from None

    def job(self, name: str) -> dict[str, Any]:
        """A Job of the pod's namespace."""
        return self._get(f"/apis/batch/v1/namespaces/{self.namespace}/jobs/{urllib.parse.quote(name, safe='')}")

    def pod(self, name: str) -> dict[str, Any]:
        """A pod of the namespace."""
        return self._get(f"/api/v1/namespaces/{self.namespace}/pods/{urllib.parse.quote(name, safe='')}")

    def pods(self, labels: str) -> list[dict[str, Any]]:
        """The namespace's pods that have these labels."""
        query = urllib.parse.urlencode({"labelSelector": labels})
        found = self._get(f"/api/v1/namespaces/{self.namespace}/pods?{query}").get("items")
        return [pod for pod in found if isinstance(pod, dict)] if isinstance(found, list) else []

    def _get(self, path: str) -> dict[str, Any]:
        # Not through a proxy: the server is inside of the cluster.
        server = http.client.HTTPSConnection(self._host, self._port, timeout=_SECONDS, context=self._context)
        try:
            server.request("GET", path, headers={"Authorization": f"Bearer {self._token}"})
            answer = server.getresponse()
            found = json.loads(answer.read(_MOST_BYTES))
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = str(error) or type(error).__name__
            raise ApiProblem(f"the API server at {self._host}:{self._port} was not reached: {reason}") from None
        finally:
            server.close()
        said = f"{answer.status} {answer.reason}"
        if answer.status in _FORBIDDEN:
            raise ApiProblem(
                f"the API server does not let the pod's account read {path.partition('?')[0]} ({said}): name one in "
                "serviceAccountName that may get and list pods and jobs, as in examples/k8s/svc-acct.yaml")
        if answer.status != http.client.OK or not isinstance(found, dict):
            raise ApiProblem(f"the API server answers {said} to {path}")
        return found
