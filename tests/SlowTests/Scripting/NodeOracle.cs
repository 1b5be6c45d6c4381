using System.Diagnostics;
using System.Text.Json;

namespace SlowTests.Scripting;

/// <summary>
/// Runs scripts in the machine's node, many to a process, in the time zone of a server's scripts. One that does not end
/// is stopped, and its answer says so.
/// </summary>
internal static class NodeOracle
{
    private const string Program = """
        const lines = require('fs').readFileSync(0, 'utf8').split('\n').filter(x => x);
        const out = [];
        const { runInThisContext } = require('vm');
        for (const line of lines) {
          let r;
          try {
            globalThis.$script = new Function(JSON.parse(line));
            r = JSON.stringify(runInThisContext('$script()', { timeout: 120000 }));
            if (r === undefined) r = 'undefined';
          } catch (e) { r = '!' + e; }
          out.push(JSON.stringify(r));
        }
        process.stdout.write(out.join('\n') + '\n');
        """;

    /// <summary>The outcome of each script, in the words of ScriptRunner.</summary>
    internal static string[] Run(IReadOnlyList<string> scripts)
    {
        ProcessStartInfo start = new("node", ["-e", Program])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        start.Environment["TZ"] = "UTC";
        using Process node = Process.Start(start) ?? throw new InvalidOperationException("node did not start");
        Task<string> output = node.StandardOutput.ReadToEndAsync();
        foreach (string script in scripts)
        {
            node.StandardInput.Write(JsonSerializer.Serialize(script) + "\n");
        }

        node.StandardInput.Close();
        string[] lines = output.Result.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        node.WaitForExit();
        Assert.Equal(scripts.Count, lines.Length);
        return Array.ConvertAll(lines, line => JsonSerializer.Deserialize<string>(line)!);
    }
}
