import { useState } from "react";
import { databasePath, send } from "../../api/http";
import { announce } from "../../app/announcer";
import { showError } from "../../app/toasts";
import { Confirm } from "../../ui/dialog";
import { Menu } from "../../ui/menu";
import type { Subscription } from "./subscriptionModel";

/** What can be done to a subscription. */
export function SubscriptionMenu({
  database,
  one,
  onDone,
  onDeleted,
}: {
  database: string;
  one: Subscription;
  onDone: () => void;
  onDeleted?: () => void;
}) {
  const [isAsked, setAsked] = useState(false);
  const name = one.SubscriptionName;
  const act = (said: string, path: string, options: Parameters<typeof send>[2]) => () => {
    send("POST", databasePath(database, path), options)
      .then(() => announce(`${name}: ${said}.`))
      .catch((error: unknown) => showError(`${name}: not ${said}`, error))
      .finally(onDone);
  };
  return (
    <>
      <Menu
        name={`Actions of ${name}`}
        entries={[
          one.Disabled
            ? {
                text: "Enable",
                icon: "play",
                onSelect: act("enabled", "subscriptions/update", { body: { Name: name, Disabled: false } }),
              }
            : {
                text: "Disable (ends its workers)",
                icon: "pause",
                onSelect: act("disabled", "subscriptions/update", { body: { Name: name, Disabled: true } }),
              },
          {
            text: "Disconnect its workers",
            icon: "stop",
            onSelect: act("disconnected", "subscriptions/drop", { query: { name } }),
          },
          {
            text: "Send again what was set aside",
            icon: "refresh",
            onSelect: act("being sent again", "subscriptions/resend", { query: { name } }),
          },
          { text: "Delete…", icon: "trash", isDanger: true, onSelect: () => setAsked(true) },
        ]}
      />
      <Confirm
        title={`Delete ${name}`}
        isOpen={isAsked}
        first="It ends its workers, and how far it is is forgotten: one of the same name begins anew."
        action="Delete it"
        typed={name}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await send("DELETE", databasePath(database, "subscriptions"), { query: { taskName: name } });
          announce(`${name} is deleted.`);
          (onDeleted ?? onDone)();
        }}
      />
    </>
  );
}
