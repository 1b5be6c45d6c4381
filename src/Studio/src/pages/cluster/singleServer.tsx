import { Icon } from "../../ui/icon";

const TRY = `raven cluster install-etcd
raven cluster up --nodes 3 --data ./c`;

const LINE = `raven --ServerUrl=https://0.0.0.0:8443 --DataDir=/data \\
      --Security.Certificate.Path=/etc/raven/node.pfx \\
      --Cluster.Node=A --Cluster.CertificateAuthority=/etc/raven/nodes.pem \\
      --Cluster.Peers=A=https://a.example:8443,B=https://b.example:8443,C=https://c.example:8443`;

/** A server without a cluster: what that means, and how it becomes three. */
export function SingleServer() {
  return (
    <section className="page scroll padded" aria-label="Cluster" tabIndex={0}>
      <div className="page-head flush">
        <h1>Cluster</h1>
      </div>
      <section className="card wide" aria-labelledby="single-what">
        <h2 id="single-what">
          <Icon name="info" /> This server is by itself
        </h2>
        <p>
          It is in no cluster. What it has acknowledged survives a loss of power, and is lost with the disk of this
          machine, but for backups. While it is down nothing is served.
        </p>
        <p>
          Three servers that keep the same databases lose no acknowledged write with one of them, and go on within
          seconds. Each takes any request.
        </p>
      </section>
      <section className="card wide" aria-labelledby="single-three">
        <h2 id="single-three">How it becomes three</h2>
        <ol className="steps">
          <li>Take a backup: a data folder that has joined a cluster does not leave it again.</li>
          <li>
            Give each of three machines a certificate of one authority that signs nothing but nodes, and open the port
            of the server and the two after it between them.
          </li>
          <li>
            Start this server and two new ones with the same line, each with its own tag (A, B, C):
            <pre className="sample">{LINE}</pre>
          </li>
          <li>
            This page then shows three nodes. Each database is on this server as before: open it here, and add the other
            two nodes.
          </li>
        </ol>
        <p className="muted">
          docs/cluster.md has every option, what is promised and what is not. To look at it on one machine first:
        </p>
        <pre className="sample">{TRY}</pre>
      </section>
    </section>
  );
}
