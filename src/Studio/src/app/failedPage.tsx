import { Button } from "../ui/button";
import { Empty, ErrorBox } from "../ui/states";
import { Link } from "./link";
import { placeUrl } from "./places";

/** A page that failed: never a blank one. A page whose files are gone was replaced by another version of the server. */
export function FailedPage({ error }: { error: unknown }) {
  const isReplaced = error instanceof TypeError && /module|import/i.test(error.message);
  return (
    <main className="content padded">
      <ErrorBox
        title={isReplaced ? "This page is of another version of the server" : "This page failed"}
        error={error}
      />
      <Button icon="refresh" kind="primary" onClick={() => window.location.reload()}>
        Load it again
      </Button>
    </main>
  );
}

/** No such page. */
export function MissingPage() {
  return (
    <Empty icon="search" title="There is no such page" action={<Link href={placeUrl("/")}>All databases</Link>}>
      The address may be mistyped, or of another version.
    </Empty>
  );
}
