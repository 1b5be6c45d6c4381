using System.Diagnostics;
using System.Runtime.CompilerServices;
using FastTests.Scripting;

namespace SlowTests.Scripting;

/// <summary>
/// The tables of Unicode are those of node's ICU: unicode-tables.js writes them, and DEV_RECORD_ANSWERS keeps them.
/// </summary>
[Trait(Category.Shard, "scripting-oracle")]
public sealed class UnicodeTableTests
{
    [Fact]
    public async Task The_tables_are_those_of_node_if_it_has_the_same_Unicode()
    {
        string kept = Path.Combine(Folder(), "../../../src/Scripting/Text/unicode.txt");
        ProcessStartInfo start = new("node", [Path.Combine(Folder(), "unicode-tables.js")])
        {
            RedirectStandardOutput = true,
        };
        using Process node = Process.Start(start) ?? throw new InvalidOperationException("node did not start");
        string made = await node.StandardOutput.ReadToEndAsync();
        await node.WaitForExitAsync();
        if (Environment.GetEnvironmentVariable("DEV_RECORD_ANSWERS") == "1")
        {
            await File.WriteAllTextAsync(kept, made);
        }

        string before = await File.ReadAllTextAsync(kept);
        Assert.True(made.Length > 100_000, made);
        Assert.True(Version(before) != Version(made) || before == made, "The tables differ from those of node.");
    }

    /// <summary>Every code point in every form, 1,000 of them in a script.</summary>
    [Fact]
    public void Every_code_point_has_the_normal_forms_of_node()
    {
        string[] scripts = [.. Enumerable.Range(0, 0x110000 / 1024).Select(block => $$"""
            const r = []; for (let c = {{block * 1024}}; c < {{(block + 1) * 1024}}; c++) {
              if (c >= 0xd800 && c < 0xe000) continue; const s = String.fromCodePoint(c);
              for (const f of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
                const n = s.normalize(f); if (n !== s) r.push(c, f, n); } }
            return r
            """)];
        Assert.Equal(NodeOracle.Run(scripts), Array.ConvertAll(scripts, script => ScriptRunner.Run(script)));
    }

    private static string Version(string text) => text[..text.IndexOf(',', StringComparison.Ordinal)];

    private static string Folder([CallerFilePath] string here = "") => Path.GetDirectoryName(here)!;
}
