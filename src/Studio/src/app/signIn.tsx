import { useQueryClient } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { send } from "../api/http";
import { isSignInWanted, wantSignIn, watchSignIn } from "../api/signInState";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { ErrorBox } from "../ui/states";
import { useTask } from "../ui/useTask";
import { announce } from "./announcer";

/** Asks for a key over the page when the server does not know who asks: what is on the page stays as it is. */
export function SignIn() {
  const isWanted = useSyncExternalStore(watchSignIn, isSignInWanted);
  const client = useQueryClient();
  const [key, setKey] = useState("");
  const { isBusy, error, run, dismiss } = useTask();
  const close = () => {
    setKey("");
    dismiss();
    wantSignIn(false);
  };
  const signIn = () =>
    run(async () => {
      // The log of requests keeps no headers: the key is nowhere but here.
      const answer = await send("POST", "/studio/session", {
        headers: { Authorization: `Bearer ${key.trim()}` },
        isSecret: true,
      });
      const { Name } = JSON.parse(answer.text) as { Name: string };
      close();
      announce(`Signed in as ${Name}.`);
      await client.invalidateQueries();
    });
  return (
    <Dialog title="Sign in" isOpen={isWanted} onClose={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (key.trim() !== "" && !isBusy) {
            void signIn();
          }
        }}
      >
        <p>The server does not know who asks. A client certificate of the browser says it, or an API key.</p>
        <label className="field">
          <span>API key</span>
          <input
            type="password"
            autoComplete="current-password"
            value={key}
            spellCheck={false}
            onChange={(event) => setKey(event.target.value)}
          />
        </label>
        <p className="hint">It is sent once, for a cookie of 12 hours that no script can read.</p>
        {error !== undefined && <ErrorBox title="Not signed in" error={error} />}
        <div className="row end">
          <Button onClick={close}>Not now</Button>
          <Button
            kind="primary"
            type="submit"
            isBusy={isBusy}
            refusal={key.trim() === "" ? "Enter a key first." : undefined}
          >
            Sign in
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
