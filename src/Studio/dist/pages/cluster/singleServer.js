import { Icon } from "../../ui/icon.js";
import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/cluster/singleServer.tsx
const TRY = `raven cluster install-etcd
raven cluster up --nodes 3 --data ./c`;
const LINE = `raven --ServerUrl=https://0.0.0.0:8443 --DataDir=/data \\
      --Security.Certificate.Path=/etc/raven/node.pfx \\
      --Cluster.Node=A --Cluster.CertificateAuthority=/etc/raven/nodes.pem \\
      --Cluster.Peers=A=https://a.example:8443,B=https://b.example:8443,C=https://c.example:8443`;
/** A server without a cluster: what that means, and how it becomes three. */
function SingleServer() {
	return /* @__PURE__ */ jsxs("section", {
		className: "page scroll padded",
		"aria-label": "Cluster",
		tabIndex: 0,
		children: [
			/* @__PURE__ */ jsx("div", {
				className: "page-head flush",
				children: /* @__PURE__ */ jsx("h1", { children: "Cluster" })
			}),
			/* @__PURE__ */ jsxs("section", {
				className: "card wide",
				"aria-labelledby": "single-what",
				children: [
					/* @__PURE__ */ jsxs("h2", {
						id: "single-what",
						children: [/* @__PURE__ */ jsx(Icon, { name: "info" }), " This server is by itself"]
					}),
					/* @__PURE__ */ jsx("p", { children: "It is in no cluster. What it has acknowledged survives a loss of power, and is lost with the disk of this machine, but for backups. While it is down nothing is served." }),
					/* @__PURE__ */ jsx("p", { children: "Three servers that keep the same databases lose no acknowledged write with one of them, and go on within seconds. Each takes any request." })
				]
			}),
			/* @__PURE__ */ jsxs("section", {
				className: "card wide",
				"aria-labelledby": "single-three",
				children: [
					/* @__PURE__ */ jsx("h2", {
						id: "single-three",
						children: "How it becomes three"
					}),
					/* @__PURE__ */ jsxs("ol", {
						className: "steps",
						children: [
							/* @__PURE__ */ jsx("li", { children: "Take a backup: a data folder that has joined a cluster does not leave it again." }),
							/* @__PURE__ */ jsx("li", { children: "Give each of three machines a certificate of one authority that signs nothing but nodes, and open the port of the server and the two after it between them." }),
							/* @__PURE__ */ jsxs("li", { children: ["Start this server and two new ones with the same line, each with its own tag (A, B, C):", /* @__PURE__ */ jsx("pre", {
								className: "sample",
								children: LINE
							})] }),
							/* @__PURE__ */ jsx("li", { children: "This page then shows three nodes. Each database is on this server as before: open it here, and add the other two nodes." })
						]
					}),
					/* @__PURE__ */ jsx("p", {
						className: "muted",
						children: "docs/cluster.md has every option, what is promised and what is not. To look at it on one machine first:"
					}),
					/* @__PURE__ */ jsx("pre", {
						className: "sample",
						children: TRY
					})
				]
			})
		]
	});
}

export { SingleServer };