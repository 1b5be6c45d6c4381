import { useState } from "react";
import { send } from "../../api/http";
import { Button } from "../../ui/button";
import { ErrorBox } from "../../ui/states";
import { useTask } from "../../ui/useTask";
import { type S3Settings, s3Of } from "./backupModel";

const TEXTS: readonly { name: keyof S3Settings & string; title: string; hint: string; isSecret?: boolean }[] = [
  { name: "BucketName", title: "Bucket", hint: "backups" },
  { name: "RemoteFolderName", title: "Folder in it", hint: "shop" },
  { name: "AwsRegionName", title: "Region", hint: "eu-central-1" },
  { name: "CustomServerUrl", title: "Server (empty: Amazon's)", hint: "https://minio.example" },
  { name: "AwsAccessKey", title: "Access key", hint: "" },
  { name: "AwsSecretKey", title: "Secret key", hint: "", isSecret: true },
];

/** A bucket, and a button that tries whether it can be used. */
export function S3Fields({ value, onChange }: { value: S3Settings; onChange: (value: S3Settings) => void }) {
  const [tried, setTried] = useState<{ Success: boolean; Error: string | null }>();
  const { isBusy, error, run, dismiss } = useTask();
  const attempt = () =>
    run(async () => {
      setTried(undefined);
      const answer = await send("POST", "/studio-tasks/periodic-backup/test-credentials", {
        query: { type: "S3" },
        body: s3Of(value),
        isSecret: true,
      });
      setTried(JSON.parse(answer.text) as { Success: boolean; Error: string | null });
    });
  const isMasked = /^\*+$/.test(value.AwsSecretKey ?? "");
  return (
    <>
      <div className="fields">
        {TEXTS.map(({ name, title, hint, isSecret }) => (
          <label className="field" key={name}>
            <span>{title}</span>
            <input
              type={isSecret ? "password" : "text"}
              value={String(value[name] ?? "")}
              placeholder={hint}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => {
                setTried(undefined);
                onChange({ ...value, [name]: event.target.value });
              }}
            />
          </label>
        ))}
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={value.ForcePathStyle ?? false}
          onChange={(event) => onChange({ ...value, ForcePathStyle: event.target.checked })}
        />
        <span>The bucket is in the path of its address (MinIO and others)</span>
      </label>
      <div className="row">
        <Button
          icon="check"
          isBusy={isBusy}
          refusal={
            isMasked
              ? "The server has the secret key and shows it to nobody: enter it to try it."
              : (value.BucketName ?? "") === ""
                ? "Name the bucket first."
                : undefined
          }
          onClick={() => void attempt()}
        >
          Try the bucket
        </Button>
        {tried && (
          <span role="status" className={tried.Success ? "break" : "bad break"}>
            {tried.Success ? "A small file was written, read and removed." : tried.Error}
          </span>
        )}
      </div>
      {error !== undefined && <ErrorBox error={error} onDismiss={dismiss} />}
    </>
  );
}
