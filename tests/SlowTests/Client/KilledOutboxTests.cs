using System.Diagnostics;
using SlowTests.Support;

namespace SlowTests.Client;

/// <summary>
/// The sample of an outbox as four programs, of which the server and the sender are killed again and again: the other
/// system, which drops what it has received already, ends with each message exactly once.
/// </summary>
[Trait(Category.Shard, "kill-outbox")]
public sealed class KilledOutboxTests
{
    /// <summary>Of the server, and as many of the sender.</summary>
    private const int Kills = 50;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(120);

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-outbox-").FullName;

    [Fact]
    public async Task The_outbox_sample_loses_and_doubles_no_message_through_kills_of_the_server_and_the_sender()
    {
        int port = SamplesTests.FreePort();
        string receiver = $"http://127.0.0.1:{SamplesTests.FreePort()}/";
        string file = Path.Combine(_folder, "received");
        string url = $"http://127.0.0.1:{port}";
        var random = new Random(17);
        ServerProcess server = Start(port);
        List<Process> programs = [];
        try
        {
            programs.Add(SamplesTests.Start("Outbox", isRead: false, "receive", receiver, file));
            Process sender = SamplesTests.Start("Outbox", isRead: false, url, "send", receiver);
            programs.Add(sender);
            int stored = 0;
            for (int kill = 0; kill < Kills; kill++)
            {
                // Some orders while what is around them is killed; the next ones come with the next kill.
                int first = stored + 1;
                stored += random.Next(50, 200);
                Process orders = SamplesTests.Start("Outbox", isRead: false, url, "orders", $"{first}", $"{stored}");
                programs.Add(orders);
                await Task.Delay(random.Next(200, 1_000));
                sender.Kill();
                await sender.WaitForExitAsync();
                sender = SamplesTests.Start("Outbox", isRead: false, url, "send", receiver);
                programs.Add(sender);
                await Task.Delay(random.Next(800));
                server.Kill();
                server.Dispose();
                server = Start(port);
                await orders.WaitForExitAsync().WaitAsync(Patience);
                Assert.Equal(0, orders.ExitCode);
            }

            string[] received = await AllAsync(file, stored);
            string[] expected = [.. Enumerable.Range(1, stored)
                .Select(number => $"customer {number} owes {number}")];
            Assert.Equal(
                expected.Order(StringComparer.Ordinal),
                received.Select(line => line.Split('\t')[1]).Order(StringComparer.Ordinal));
        }
        finally
        {
            foreach (Process program in programs)
            {
                program.Kill();
                await program.WaitForExitAsync();
                program.Dispose();
            }

            server.Dispose();
            Directory.Delete(_folder, recursive: true);
        }
    }

    private ServerProcess Start(int port) =>
        ServerProcess.Start(Path.Combine(_folder, "data"), $"--ServerUrl=http://127.0.0.1:{port}");

    /// <summary>The lines of the other system, when there are as many, or more.</summary>
    private static async Task<string[]> AllAsync(string file, int count)
    {
        var waited = Stopwatch.StartNew();
        while (true)
        {
            string[] lines = await File.ReadAllLinesAsync(file);
            if (lines.Length >= count || waited.Elapsed > Patience)
            {
                return lines;
            }

            await Task.Delay(100);
        }
    }
}
