using System.Runtime.CompilerServices;

namespace FastTests.Scripting;

/// <summary>
/// Scripts by feature in conformance.txt: "# feature", the script, "=&gt; " and what node returned as JSON. SlowTests
/// compares the answers with a living node.
/// </summary>
internal static class ConformanceSet
{
    internal static IReadOnlyList<(string Feature, string Script, string Expected)> Cases { get; } = Read();

    private static List<(string, string, string)> Read([CallerFilePath] string here = "")
    {
        List<(string, string, string)> cases = [];
        string feature = "";
        List<string> script = [];
        foreach (string line in File.ReadLines(Path.Combine(Path.GetDirectoryName(here)!, "conformance.txt")))
        {
            if (line.StartsWith("# ", StringComparison.Ordinal))
            {
                feature = line[2..];
            }
            else if (line.StartsWith("=> ", StringComparison.Ordinal))
            {
                cases.Add((feature, string.Join('\n', script), line[3..]));
                script.Clear();
            }
            else
            {
                script.Add(line);
            }
        }

        return cases;
    }
}
