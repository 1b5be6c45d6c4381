using System.Text;

namespace Raven.Cluster.Etcd;

/// <summary>
/// Where the machine's own apt takes Debian from: the mirror and the key that signs it, so that another suite can be
/// asked for at the same place. Nothing of the machine's configuration is changed.
/// </summary>
/// <param name="Uri">The mirror.</param>
/// <param name="SignedBy">The file of the key, or the key itself as the sources have it; null for those that apt
/// trusts.</param>
/// <param name="Trusted">Whether the machine takes it without a signature.</param>
internal sealed record AptSources(string Uri, string? SignedBy, bool Trusted)
{
    private static readonly char[] Blanks = [' ', '\t', '\n'];
    private static readonly char[] LineEnds = ['\r', ' ', '\t'];

    /// <summary>The source of another suite, in the format of <c>.sources</c> files.</summary>
    /// <param name="suite">The suite.</param>
    internal string SourceOf(string suite)
    {
        var text = new StringBuilder();
        text.Append("Types: deb\nURIs: ").Append(Uri).Append("\nSuites: ").Append(suite).Append("\nComponents: main\n");
        if (SignedBy is not null)
        {
            text.Append("Signed-By:").Append(SignedBy[0] == '\n' ? "" : " ").Append(SignedBy).Append('\n');
        }

        return (Trusted ? text.Append("Trusted: yes\n") : text).ToString();
    }

    /// <summary>Reads the sources of a machine.</summary>
    /// <param name="folder">Its <c>/etc/apt</c>.</param>
    /// <param name="suite">The suite that the machine runs.</param>
    /// <returns>The first mirror that has it; null if none does.</returns>
    internal static AptSources? Find(string folder, string suite)
    {
        List<string> files = [Path.Combine(folder, "sources.list")];
        string more = Path.Combine(folder, "sources.list.d");
        if (Directory.Exists(more))
        {
            files.AddRange(Directory.EnumerateFiles(more).Order(StringComparer.Ordinal));
        }

        foreach (string file in files.Where(File.Exists))
        {
            string text = File.ReadAllText(file);
            AptSources? found = Path.GetExtension(file) switch
            {
                ".sources" => OfStanzas(text, suite),
                ".list" => OfLines(text, suite),
                _ => null,
            };
            if (found is not null)
            {
                return found;
            }
        }

        return null;
    }

    /// <summary>Reads lines such as <c>deb [signed-by=FILE] http://mirror/debian bookworm main</c>.</summary>
    internal static AptSources? OfLines(string text, string suite)
    {
        foreach (string line in text.Split('\n').Select(each => each.Split('#')[0].Trim()))
        {
            string rest = line;
            string options = "";
            int open = rest.IndexOf('[', StringComparison.Ordinal);
            int close = rest.IndexOf(']', StringComparison.Ordinal);
            if (open >= 0 && close > open)
            {
                options = rest[(open + 1)..close];
                rest = rest[..open] + rest[(close + 1)..];
            }

            string[] words = rest.Split(Blanks, StringSplitOptions.RemoveEmptyEntries);
            if (words.Length > 3 && words[0] == "deb" && words[2] == suite && words.AsSpan(3).Contains("main"))
            {
                return new AptSources(words[1], OptionOf("signed-by"), OptionOf("trusted") == "yes");
            }

            string? OptionOf(string name) => options.Split(' ', StringSplitOptions.RemoveEmptyEntries)
                .Select(each => each.Split('=', 2)).FirstOrDefault(each => each[0] == name && each.Length == 2)?[1];
        }

        return null;
    }

    /// <summary>Reads stanzas of <c>Name: value</c>, whose values go on in lines that begin with a blank.</summary>
    internal static AptSources? OfStanzas(string text, string suite)
    {
        foreach (Dictionary<string, string> stanza in Stanzas(text))
        {
            if (WordsOf("Types").Contains("deb") && WordsOf("Suites").Contains(suite)
                && WordsOf("Components").Contains("main") && WordsOf("URIs") is [{ } uri, ..]
                && !stanza.GetValueOrDefault("Enabled", "yes").Trim().Equals("no", StringComparison.OrdinalIgnoreCase))
            {
                return new AptSources(
                    uri, stanza.GetValueOrDefault("Signed-By") is { Length: > 0 } key ? key : null,
                    stanza.GetValueOrDefault("Trusted", "no").Trim() == "yes");
            }

            string[] WordsOf(string name) => stanza.GetValueOrDefault(name, "")
                .Split(Blanks, StringSplitOptions.RemoveEmptyEntries);
        }

        return null;
    }

    private static IEnumerable<Dictionary<string, string>> Stanzas(string text)
    {
        Dictionary<string, string> stanza = new(StringComparer.OrdinalIgnoreCase);
        string last = "";
        foreach (string line in text.Split('\n').Select(each => each.TrimEnd(LineEnds)).Append(""))
        {
            int colon = line.IndexOf(':', StringComparison.Ordinal);
            if (line.Length == 0)
            {
                if (stanza.Count > 0)
                {
                    yield return stanza;
                    stanza = new(StringComparer.OrdinalIgnoreCase);
                }
            }
            else if (line[0] is ' ' or '\t' && last.Length > 0)
            {
                stanza[last] += "\n" + line;
            }
            else if (line[0] != '#' && colon > 0)
            {
                last = line[..colon].Trim();
                stanza[last] = line[(colon + 1)..].Trim();
            }
        }
    }
}
