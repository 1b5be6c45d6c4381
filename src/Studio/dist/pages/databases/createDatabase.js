import { databasePath, getJson, send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { useMay } from "../../app/pages.js";
import { databasePlace, placeUrl, useGo } from "../../app/places.js";
import { Button } from "../../ui/button.js";
import { ErrorBox } from "../../ui/states.js";
import { factorChoices, factorSaid } from "../cluster/clusterModel.js";
import { nameRefusal } from "./databaseName.js";
import { useQuery, useQueryClient } from "../../vendor/query.js";
import { jsx, jsxs, useEffect, useId, useRef, useState } from "../../vendor/react.js";

// src/pages/databases/createDatabase.tsx
/** Makes a database, with sample data if wanted, and goes there. */
function CreateDatabase() {
	const [name, setName] = useState("");
	const [withSample, setSample] = useState(true);
	const [stage, setStage] = useState();
	const [error, setError] = useState();
	const [isMade, setMade] = useState(false);
	const [chosen, setChosen] = useState();
	const client = useQueryClient();
	const go = useGo();
	const hint = useId();
	const field = useRef(null);
	const cluster = useQuery({
		queryKey: ["cluster", "nodes"],
		queryFn: ({ signal }) => getJson("/admin/cluster/health", {
			query: { pageSize: 0 },
			signal
		}),
		enabled: useMay("GET /admin/cluster/health"),
		retry: false
	});
	const isClustered = cluster.data?.IsClustered === true;
	const factors = factorChoices(cluster.data);
	const factor = chosen ?? factors.proposed;
	const wrong = name === "" ? void 0 : nameRefusal(name);
	useEffect(() => field.current?.focus(), []);
	const create = async () => {
		setError(void 0);
		try {
			if (!isMade) {
				setStage("Making the database…");
				await send("PUT", "/admin/databases", {
					query: {
						name,
						replicationFactor: isClustered ? factor : void 0
					},
					body: { DatabaseName: name }
				});
				setMade(true);
			}
			if (withSample) {
				setStage("Writing the sample data…");
				await send("POST", databasePath(name, "studio/sample-data"));
			}
			await client.invalidateQueries({ queryKey: ["databases"] });
			announce(`${name} is made.`);
			go(placeUrl(databasePlace(name)));
		} catch (failure) {
			setError(failure);
		} finally {
			setStage(void 0);
		}
	};
	return /* @__PURE__ */ jsxs("form", {
		className: "stack",
		onSubmit: (event) => {
			event.preventDefault();
			if (name !== "" && wrong === void 0 && stage === void 0) create();
		},
		children: [
			/* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "Name" }), /* @__PURE__ */ jsx("input", {
					ref: field,
					value: name,
					onChange: (event) => {
						setName(event.target.value);
						setMade(false);
					},
					autoComplete: "off",
					spellCheck: false,
					"aria-invalid": wrong !== void 0,
					"aria-describedby": hint,
					required: true
				})]
			}),
			/* @__PURE__ */ jsx("p", {
				id: hint,
				className: wrong ? "hint bad" : "hint",
				children: wrong ?? "Letters, digits, and - _ . between them."
			}),
			isClustered && /* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "On how many nodes" }), /* @__PURE__ */ jsx("select", {
					value: factor,
					onChange: (event) => setChosen(Number(event.target.value)),
					children: factors.all.map((one) => /* @__PURE__ */ jsx("option", {
						value: one,
						children: factorSaid(one)
					}, one))
				})]
			}),
			/* @__PURE__ */ jsxs("label", {
				className: "check",
				children: [/* @__PURE__ */ jsx("input", {
					type: "checkbox",
					checked: withSample,
					onChange: (event) => setSample(event.target.checked)
				}), /* @__PURE__ */ jsx("span", { children: "with sample data: companies, orders, products" })]
			}),
			error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				title: isMade ? "The database is made, its sample data is not" : "The database was not made",
				error
			}),
			/* @__PURE__ */ jsx("div", {
				className: "row",
				children: /* @__PURE__ */ jsx(Button, {
					kind: "primary",
					type: "submit",
					isBusy: stage !== void 0,
					refusal: name === "" ? "Give it a name first." : wrong,
					children: stage ?? (isMade && error !== void 0 ? "Try the sample data again" : "Create")
				})
			})
		]
	});
}

export { CreateDatabase };