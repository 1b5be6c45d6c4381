import { useState } from "react";
import { send } from "../../api/http";
import { announce } from "../../app/announcer";
import { FormDialog } from "../../ui/dialog";
import { base64Of } from "../../ui/saveFile";
import { useTask } from "../../ui/useTask";
import { replaceRefusal, type WhoAmI } from "./certificateModel";

/** Gives the server another certificate, which it checks before it takes it. */
export function ReplaceDialog({ who, onClose }: { who: WhoAmI | undefined; onClose: () => void }) {
  const [file, setFile] = useState<File>();
  const task = useTask();
  const refusal = replaceRefusal(who, file);
  const replace = () =>
    task.run(async () => {
      if (!file) {
        return;
      }
      // It holds the key of the server: the log of requests does not get it.
      await send("POST", "/admin/certificates/replace-cluster-cert", {
        body: { Certificate: await base64Of(file) },
        isSecret: true,
      });
      announce("The server has another certificate.");
      onClose();
    });
  return (
    <FormDialog
      title="Replace the server's certificate"
      task={task}
      refusal={refusal}
      action="Replace it"
      kind="danger"
      errorTitle="The server keeps the certificate that it has"
      onSubmit={replace}
      onClose={onClose}
    >
      <p>
        <strong>New connections are shown the new certificate at once: whoever does not trust it is cut off.</strong>
      </p>
      <p>
        The server checks it as at its start, and keeps the file before it as .old. Connections that are open go on,
        this page among them.
      </p>
      <label className="field">
        <span>File: .pfx (PKCS#12) with its key, without a password</span>
        <input type="file" accept=".pfx,.p12" onChange={(event) => setFile(event.target.files?.[0])} />
      </label>
    </FormDialog>
  );
}
