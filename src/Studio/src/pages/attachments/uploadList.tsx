import { Button, IconButton } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { formatBytes } from "../../ui/format";
import { ErrorBox } from "../../ui/states";
import type { Upload, UploadQueue } from "./uploads";

/** The files on their way, with how far each is, and those that ask for something. */
export function UploadList({ queue, uploads }: { queue: UploadQueue; uploads: readonly Upload[] }) {
  if (uploads.length === 0) {
    return null;
  }
  return (
    <section className="upload-list" aria-label="Files on their way">
      {uploads.map((one) => (
        <div key={one.key}>
          <UploadLine queue={queue} upload={one} />
          {one.state === "failed" && (
            <ErrorBox
              title={`${one.name} was not stored`}
              error={one.error}
              onRetry={() => queue.again(one.key)}
              onDismiss={() => queue.remove(one.key)}
            />
          )}
        </div>
      ))}
    </section>
  );
}

function UploadLine({ queue, upload }: { queue: UploadQueue; upload: Upload }) {
  const { key, name, size, sent, state } = upload;
  switch (state) {
    case "failed":
      return null;
    case "taken":
      return (
        <div className="bar">
          <Chip tone="stale">taken</Chip>
          <span className="break">
            The document has an attachment <code>{name}</code> already.
          </span>
          <span className="grow" />
          <Button kind="danger" onClick={() => queue.again(key)}>
            Replace it
          </Button>
          <Button kind="quiet" onClick={() => queue.remove(key)}>
            Keep what is there
          </Button>
        </div>
      );
    default:
      return (
        <div className="bar">
          <span className="break">{name}</span>
          <progress aria-label={`How much of ${name} has gone`} max={Math.max(1, size)} value={sent} />
          <span className="muted nowrap">
            {state === "waits" ? "waits" : `${formatBytes(sent)} of ${formatBytes(size)}`}
          </span>
          <span className="grow" />
          <IconButton name={`Cancel ${name}`} icon="close" onClick={() => queue.remove(key)} />
        </div>
      );
  }
}
