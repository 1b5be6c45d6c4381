import { putAttachment } from "../../api/parts";
import { announce } from "../../app/announcer";
import { queryClient } from "../../app/queryClient";
import { UploadQueue } from "./uploads";

const queues = new Map<string, UploadQueue>();

/** The files that go to a document. They are kept beside the pages: to look at another one ends nothing. */
export function uploadsOf(database: string, id: string): UploadQueue {
  const key = `${database}\n${id}`;
  let queue = queues.get(key);
  if (!queue) {
    queue = new UploadQueue(
      (name, file, version, signal, onProgress) => putAttachment(database, id, name, file, version, signal, onProgress),
      (name) => {
        announce(`${name} is stored.`);
        void queryClient.invalidateQueries({ queryKey: ["parts", database, id] });
      },
    );
    queues.set(key, queue);
  }
  return queue;
}

// The browser asks before it closes a page whose files have not all gone.
window.addEventListener("beforeunload", (event) => {
  if ([...queues.values()].some((queue) => queue.isBusy)) {
    event.preventDefault();
  }
});
