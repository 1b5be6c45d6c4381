import { useState } from "react";
import { send, sendForFile } from "../../api/http";
import { announce } from "../../app/announcer";
import { Button } from "../../ui/button";
import { Dialog, FormDialog } from "../../ui/dialog";
import { base64Of, saveFile } from "../../ui/saveFile";
import { useTask } from "../../ui/useTask";
import { type Certificate, clearanceRefusal, endOf, readRightRows, rightRows, type WhoAmI } from "./certificateModel";
import { EndFields } from "./endFields";
import { type IdentityDraft, RightsFields } from "./rightsFields";

/** Makes a certificate, registers one that is there, or changes what one may do. */
export function CertificateDialog({
  mode,
  certificate,
  who,
  onClose,
  onDone,
}: {
  mode: "make" | "put" | "edit";
  certificate?: Certificate;
  who: WhoAmI | undefined;
  onClose: () => void;
  onDone: () => void;
}) {
  const [draft, setDraft] = useState<IdentityDraft>({
    name: certificate?.Name ?? "",
    clearance: certificate?.SecurityClearance ?? "ValidUser",
    rows: rightRows(certificate?.Permissions ?? {}),
  });
  const [password, setPassword] = useState("");
  const [ends, setEnds] = useState({ choice: "365", day: "" });
  const [file, setFile] = useState<File>();
  const [made, setMade] = useState<{ zip: Blob; name: string }>();
  const task = useTask();
  const { permissions, wrong } = readRightRows(draft.rows);
  const end = endOf(ends.choice, ends.day, Date.now());
  const refusal =
    clearanceRefusal(who, draft.clearance) ??
    (draft.name.trim() === "" ? "Give it a name first." : undefined) ??
    wrong ??
    (mode === "make" ? end.wrong : undefined) ??
    (mode === "put" && !file ? "Choose the file of the certificate first." : undefined);
  const body = {
    Name: draft.name.trim(),
    SecurityClearance: draft.clearance,
    Permissions: draft.clearance === "ValidUser" ? permissions : {},
  };
  const save = () =>
    task.run(async () => {
      if (mode === "make") {
        const zip = await sendForFile("POST", "/admin/certificates", {
          body: {
            ...body,
            ...(password === "" ? {} : { Password: password }),
            ...(end.at ? { NotAfter: end.at } : {}),
          },
          isSecret: true,
        });
        setMade({ zip, name: `${body.Name}.zip` });
        saveFile(zip, `${body.Name}.zip`);
        announce(`The certificate ${body.Name} is made.`);
      } else if (mode === "put" && file) {
        // It may hold a private key, which the server drops: the log of requests does not get it.
        await send("PUT", "/admin/certificates", {
          body: { ...body, Certificate: await base64Of(file) },
          isSecret: true,
        });
        announce(`The certificate ${body.Name} is registered.`);
        onClose();
      } else {
        await send("POST", "/admin/certificates/edit", { body: { ...body, Thumbprint: certificate?.Thumbprint } });
        announce(`${body.Name} is changed.`);
        onClose();
      }
      onDone();
    });
  if (made) {
    return (
      <Dialog title={`${made.name} is made`} isOpen onClose={onClose}>
        <p>
          <strong>The private key is in this file and nowhere else: the server has not kept it.</strong>
        </p>
        <p>
          The browser saves {made.name}: a .pfx {password === "" ? "without a password" : "under its password"}, a .crt,
          a .key and a .pem.
        </p>
        <div className="row end">
          <Button icon="download" onClick={() => saveFile(made.zip, made.name)}>
            Save it again
          </Button>
          <Button kind="primary" icon="check" onClick={onClose}>
            I have it
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={TITLES[mode]}
      task={task}
      refusal={refusal}
      action={BUTTONS[mode]}
      onSubmit={save}
      onClose={onClose}
    >
      {mode === "put" && (
        <label className="field">
          <span>File: .crt, .pem, .cer, or .pfx without a password</span>
          <input type="file" onChange={(event) => setFile(event.target.files?.[0])} />
        </label>
      )}
      <RightsFields draft={draft} who={who} isKey={false} onChange={setDraft} />
      {mode === "make" && (
        <>
          <label className="field">
            <span>Password of the .pfx (optional)</span>
            <input
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </label>
          <EndFields value={ends} wrong={end.wrong} canBeEndless={false} onChange={setEnds} />
        </>
      )}
      {mode === "edit" && <p className="hint">From the answer on, each of its requests has the new rights.</p>}
    </FormDialog>
  );
}

const TITLES = { make: "Make a certificate", put: "Register a certificate", edit: "What it may do" } as const;
const BUTTONS = { make: "Make it", put: "Register it", edit: "Save" } as const;
