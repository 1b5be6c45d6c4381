import { send } from "../../api/http.js";
import { Button } from "../../ui/button.js";
import { ErrorBox } from "../../ui/states.js";
import { useTask } from "../../ui/useTask.js";
import { s3Of } from "./backupModel.js";
import { Fragment, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/backups/s3Fields.tsx
const TEXTS = [
	{
		name: "BucketName",
		title: "Bucket",
		hint: "backups"
	},
	{
		name: "RemoteFolderName",
		title: "Folder in it",
		hint: "shop"
	},
	{
		name: "AwsRegionName",
		title: "Region",
		hint: "eu-central-1"
	},
	{
		name: "CustomServerUrl",
		title: "Server (empty: Amazon's)",
		hint: "https://minio.example"
	},
	{
		name: "AwsAccessKey",
		title: "Access key",
		hint: ""
	},
	{
		name: "AwsSecretKey",
		title: "Secret key",
		hint: "",
		isSecret: true
	}
];
/** A bucket, and a button that tries whether it can be used. */
function S3Fields({ value, onChange }) {
	const [tried, setTried] = useState();
	const { isBusy, error, run, dismiss } = useTask();
	const attempt = () => run(async () => {
		setTried(void 0);
		const answer = await send("POST", "/studio-tasks/periodic-backup/test-credentials", {
			query: { type: "S3" },
			body: s3Of(value),
			isSecret: true
		});
		setTried(JSON.parse(answer.text));
	});
	const isMasked = /^\*+$/.test(value.AwsSecretKey ?? "");
	return /* @__PURE__ */ jsxs(Fragment, { children: [
		/* @__PURE__ */ jsx("div", {
			className: "fields",
			children: TEXTS.map(({ name, title, hint, isSecret }) => /* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: title }), /* @__PURE__ */ jsx("input", {
					type: isSecret ? "password" : "text",
					value: String(value[name] ?? ""),
					placeholder: hint,
					autoComplete: "off",
					spellCheck: false,
					onChange: (event) => {
						setTried(void 0);
						onChange({
							...value,
							[name]: event.target.value
						});
					}
				})]
			}, name))
		}),
		/* @__PURE__ */ jsxs("label", {
			className: "check",
			children: [/* @__PURE__ */ jsx("input", {
				type: "checkbox",
				checked: value.ForcePathStyle ?? false,
				onChange: (event) => onChange({
					...value,
					ForcePathStyle: event.target.checked
				})
			}), /* @__PURE__ */ jsx("span", { children: "The bucket is in the path of its address (MinIO and others)" })]
		}),
		/* @__PURE__ */ jsxs("div", {
			className: "row",
			children: [/* @__PURE__ */ jsx(Button, {
				icon: "check",
				isBusy,
				refusal: isMasked ? "The server has the secret key and shows it to nobody: enter it to try it." : (value.BucketName ?? "") === "" ? "Name the bucket first." : void 0,
				onClick: () => void attempt(),
				children: "Try the bucket"
			}), tried && /* @__PURE__ */ jsx("span", {
				role: "status",
				className: tried.Success ? "break" : "bad break",
				children: tried.Success ? "A small file was written, read and removed." : tried.Error
			})]
		}),
		error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
			error,
			onDismiss: dismiss
		})
	] });
}

export { S3Fields };