using Raven.Cluster.Records;

namespace Raven.Server.Options;

/// <summary>The keys of the options of a cluster.</summary>
internal static class ClusterOptionKeys
{
    private const string Prefix = "Cluster.";
    private const string Managed = "managed";

    internal static OptionKey[] All() =>
    [
        Key("Node", "A to Z, up to four, or empty", "The tag of this node of a cluster; empty for none.",
            (c, v) => c with { Node = v.Length == 0 ? null : Tag(v) }, c => c.Node ?? ""),
        Key("Peers", "A=url,B=url,C=url, or empty",
            "The nodes that the cluster begins with, this one among them, as they reach one another.",
            (c, v) => c with { Peers = PeersOf(v) },
            c => string.Join(',', c.Peers.Select(peer => $"{peer.Key}={Bare(peer.Value)}"))),
        Key("Store", "managed, or urls with , between them",
            "Where etcd serves; managed: each of the peers runs one of its own.",
            (c, v) => c with { Store = v is Managed or "" ? [] : UrlsOf(v) },
            c => c.IsManaged ? Managed : string.Join(',', c.Store.Select(Bare))),
        Key("Name", "letters, digits and -", "What keeps the cluster apart from others in the same etcd.",
            (c, v) => c with { Name = NameOf(v) }, c => c.Name),
        Key("EtcdPath", "path or empty", "The program etcd; empty for one beside the server, or in PATH.",
            (c, v) => c with { EtcdPath = v.Length == 0 ? null : Path.GetFullPath(v) }, c => c.EtcdPath ?? ""),
        Key("EtcdPortOffset", "number",
            "How far the port of a node's own etcd is above the server's; the next one is for other etcds.",
            (c, v) => c with { EtcdPortOffset = (int)OptionTable.Number(v, 1, 60_000) },
            c => OptionTable.Text(c.EtcdPortOffset)),
        Key("EtcdQuotaMb", "MB", "The most that a node's own etcd keeps, from 4 to 8192.",
            (c, v) => c with { EtcdQuotaBytes = OptionTable.Number(v, 4, 8_192) << 20 },
            c => OptionTable.Text(c.EtcdQuotaBytes >> 20)),
        Key("CertificateAuthority", "path or empty", "Who signs the certificates of the nodes, a file of PEM.",
            (c, v) => c with { CertificateAuthorityPath = v.Length == 0 ? null : Path.GetFullPath(v) },
            c => c.CertificateAuthorityPath ?? ""),
        Key("SilenceMsMax", "milliseconds", "How long a node may not acknowledge until writes go on without it.",
            (c, v) => c with { SilenceMax = TimeSpan.FromMilliseconds(OptionTable.Number(v, 200, 60_000)) },
            c => OptionTable.Text((long)c.SilenceMax.TotalMilliseconds)),
        Key("HandOverMsMax", "milliseconds", "How long an orderly stop waits until other nodes have taken over.",
            (c, v) => c with { HandOverMax = TimeSpan.FromMilliseconds(OptionTable.Number(v, 0, 600_000)) },
            c => OptionTable.Text((long)c.HandOverMax.TotalMilliseconds)),
    ];

    private static OptionKey Key(
        string name, string values, string help, Func<ClusterOptions, string, ClusterOptions> set,
        Func<ClusterOptions, string> get) => new(
        Prefix + name, values, help, (o, v) => o with { Cluster = set(o.Cluster, v) }, o => get(o.Cluster));

    private static string Tag(string text) =>
        NodeTag.IsValid(text) ? text : throw new FormatException("A tag is one to four letters of A to Z.");

    private static string NameOf(string text) =>
        text.Length is > 0 and <= 64 && text.All(one => char.IsAsciiLetterOrDigit(one) || one == '-')
            ? text
            : throw new FormatException("It must be 1 to 64 letters, digits and '-'.");

    private static List<KeyValuePair<string, Uri>> PeersOf(string text)
    {
        List<KeyValuePair<string, Uri>> peers = [];
        foreach (string one in text.Split(
            ',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            int equals = one.IndexOf('=', StringComparison.Ordinal);
            if (equals < 1)
            {
                throw new FormatException($"'{one}' is no peer: it is like A=https://a.example:443.");
            }

            string tag = Tag(one[..equals]);
            if (peers.Exists(peer => peer.Key == tag))
            {
                throw new FormatException($"The tag {tag} is there twice.");
            }

            peers.Add(new(tag, UrlOf(one[(equals + 1)..])));
        }

        return peers;
    }

    private static List<Uri> UrlsOf(string text) =>
        [.. text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).Select(UrlOf)];

    private static Uri UrlOf(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out Uri? url) && url.Scheme is "http" or "https"
            && url.AbsolutePath == "/" && url.Query.Length == 0 && url.UserInfo.Length == 0
                ? url
                : throw new FormatException($"'{text}' is no url of a server: it is like https://a.example:443.");

    private static string Bare(Uri url) => url.GetLeftPart(UriPartial.Authority);
}
