import { useState } from "react";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy";
import { Dialog } from "../../ui/dialog";

/** Shows a secret this once. It closes only by the button that says that it is kept. */
export function SecretDialog({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  const [isWarned, setWarned] = useState(false);
  return (
    <Dialog title={title} isOpen onClose={() => setWarned(true)}>
      <p>
        <strong>It is shown this once: the server keeps only its hash.</strong>
      </p>
      <code className="secret">{secret}</code>
      {isWarned && (
        <p className="bad" role="alert">
          Keep it first, then close by the button below. If it is lost, rotate the key.
        </p>
      )}
      <div className="row end">
        <CopyButton text={secret}>Copy the key</CopyButton>
        <Button kind="primary" icon="check" onClick={onClose}>
          I have kept it
        </Button>
      </div>
    </Dialog>
  );
}
