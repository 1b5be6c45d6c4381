using System.Diagnostics;
using System.Text.RegularExpressions;
using Raven.Server.Options;
using SlowTests.Support;

namespace SlowTests.Cluster;

/// <summary>The commands of docs/cluster.md, in their order, as a new user types them on one machine: as they are but
/// for ports and folders.</summary>
[Trait(Category.Shard, "cluster-page")]
[Trait(Category.Run, Category.Ci)]
public sealed partial class ClusterPageTests
{
    private static readonly TimeSpan CommandMax = TimeSpan.FromMinutes(2);

    private static string Page =>
        File.ReadAllText(Path.Combine(NodeProgram.Root, "docs", "cluster.md"));

    [Fact]
    public async Task The_commands_of_the_page_do_what_it_says()
    {
        string[][] blocks = [.. ShellBlock().Matches(Page).Select(match => Command()
            .Matches(match.Groups[1].Value).Select(command => command.Value.Trim()).ToArray())];
        Assert.Equal("raven cluster install-etcd\nraven cluster up --nodes 3 --data ./c", string.Join('\n', blocks[0]));
        await using ClusterUpProcess up = await ClusterUpProcess.StartAsync();

        // A database on three nodes, written through one and read through another.
        string[] first = await RunAsync(up, blocks[1]);
        Assert.Contains("\"Name\":\"Chai\"", first[2], StringComparison.Ordinal);
        Assert.Contains("3 of 3", first[3], StringComparison.Ordinal);
        Assert.DoesNotContain("WHAT TO DO", first[3], StringComparison.Ordinal);

        // Another primary, a node less and one more.
        await RunAsync(up, blocks[2]);
        await up.UntilAsync(
            health => $"{health["Databases"]![0]!["Primary"]}" == "B", "B did not become the primary");

        // A fourth node, with the database, and without it again.
        string[] words = up.Here(Assert.Single(blocks[3])).Split(' ');
        Assert.Equal("raven", words[0]);
        using (Process fourth = up.StartRaven(words[1..]))
        {
            await up.AliveAsync(4);
            await RunAsync(up, blocks[4]);
            await up.InSyncAsync();
            await RunAsync(up, blocks[5]);
            await ClusterUpProcess.EndAsync(fourth, "TERM");
        }

        // Two of three are lost, and the one that is left begins anew.
        up.Kill("B");
        up.Kill("C");
        await up.UntilAsync(
            health => health["Nodes"]!.AsArray().Count(node => node!["IsAlive"]!.GetValue<bool>()) == 1,
            "the killed nodes still count as alive");
        Assert.Contains(
            "acceptDataLoss=true", $"{(await up.HealthAsync())!["Databases"]![0]!["Advice"]}",
            StringComparison.Ordinal);
        await BashAsync(up, Assert.Single(blocks[6]));
        await up.UntilAsync(
            health => $"{health["Databases"]![0]!["Primary"]} {health["Databases"]![0]!["Role"]}" == "A Primary",
            "A did not begin anew");
        Assert.Equal(7, blocks.Length);
        string read = await BashAsync(up, "curl 'http://127.0.0.1:8080/databases/shop/docs?id=products/1'");
        Assert.Contains("Chai", read, StringComparison.Ordinal);
        await BashAsync(up, "curl -X PUT 'http://127.0.0.1:8080/databases/shop/docs?id=products/2' -d '{}'");
        Assert.Equal(0, await up.StopAsync());
        Assert.Contains("was ended by signal 9 (SIGKILL). Its log is", up.Printed, StringComparison.Ordinal);
    }

    [Fact]
    public void The_line_for_three_machines_is_one_that_a_server_takes()
    {
        string block = Assert.Single(PlainBlock().Matches(Page)).Groups[1].Value;
        string[] words = block.Replace("\\\n", " ", StringComparison.Ordinal)
            .Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal("raven", words[0]);
        ServerOptions options = OptionReader.ReadUnchecked(
            words[1..], new Dictionary<string, string>(), Directory.GetCurrentDirectory());
        Assert.Equal("A", options.Cluster.Node);
        Assert.Equal("A, B, C", string.Join(", ", options.Cluster.Peers.Select(peer => peer.Key).Order()));
        Assert.True(options.Cluster.IsManaged);
        Assert.Equal("/etc/raven/nodes.pem", options.Cluster.CertificateAuthorityPath);
    }

    /// <summary>Runs commands as they are typed: each when the one before is done on all nodes.</summary>
    private static async Task<string[]> RunAsync(ClusterUpProcess up, string[] commands)
    {
        Assert.NotEmpty(commands);
        List<string> printed = [];
        foreach (string command in commands)
        {
            printed.Add(await BashAsync(up, command));
            await up.InSyncAsync();
        }

        return [.. printed];
    }

    private static async Task<string> BashAsync(ClusterUpProcess up, string command)
    {
        string program = Path.Combine(AppContext.BaseDirectory, "raven.dll");
        string here = up.Here(command)
            .Replace("curl ", "curl --silent --show-error --fail-with-body ", StringComparison.Ordinal);
        using Process bash = Process.Start(new ProcessStartInfo(
            "bash", ["-c", $"raven() {{ dotnet '{program}' \"$@\"; }}; {here}"])
        {
            RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        using var late = new CancellationTokenSource(CommandMax);
        Task<string> errors = bash.StandardError.ReadToEndAsync(late.Token);
        string printed = await bash.StandardOutput.ReadToEndAsync(late.Token);
        await bash.WaitForExitAsync(late.Token);
        Assert.True(bash.ExitCode == 0, $"{command}\n{printed}{await errors}\n{up.Printed}");
        return printed;
    }

    [GeneratedRegex(@"^```sh\n(.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex ShellBlock();

    [GeneratedRegex(@"^```\n(raven .*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex PlainBlock();

    /// <summary>A line that is no comment.</summary>
    [GeneratedRegex("^(?:curl|raven) .*$", RegexOptions.Multiline)]
    private static partial Regex Command();
}
