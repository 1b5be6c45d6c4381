using System.Diagnostics;
using System.Text;
using SlowTests.Support;

namespace SlowTests.Server;

/// <summary>Prometheus' own checker reads the pages of metrics, the alert rules and the example of a configuration.
/// </summary>
[Trait(Category.Run, Category.Ci)]
[Trait(Category.Shard, "server")]
public sealed class PromtoolTests
{
    private const string Package = "prometheus";

    [DebianFact(Package)]
    [Trait("Row", "91")]
    public async Task Pages_rules_and_the_configuration_are_without_a_fault()
    {
        using ServerProcess server = ServerProcess.Start(null);
        using var client = new HttpClient { BaseAddress = new Uri(server.Url) };
        using (var record = new StringContent("{\"DatabaseName\":\"db\"}"))
        {
            (await client.PutAsync("/admin/databases?name=db", record)).EnsureSuccessStatusCode();
        }

        for (int i = 0; i < 20; i++)
        {
            using var document = new StringContent(
                $$$"""{"X":{{{i}}},"@metadata":{"@collection":"As"}}""", Encoding.UTF8, "application/json");
            (await client.PutAsync($"/databases/db/docs?id=a/{i}", document)).EnsureSuccessStatusCode();
        }

        using (var query = new StringContent("""{"Query":"from As where X > 3"}"""))
        {
            (await client.PostAsync("/databases/db/queries", query)).EnsureSuccessStatusCode();
        }

        Assert.Equal("", await CheckAsync(await client.GetStringAsync("/metrics"), "check", "metrics"));

        // The names of RavenDB end with _count, which Prometheus keeps for histograms: it says so, and takes them.
        string said = await CheckAsync(
            await client.GetStringAsync("/admin/monitoring/v1/prometheus?includeGcMetrics=true"), "check", "metrics");
        Assert.DoesNotContain(
            said.Split('\n', StringSplitOptions.RemoveEmptyEntries),
            line => !line.EndsWith("should not have \"_count\" suffix", StringComparison.Ordinal));
        string folder = Path.Combine(NodeProgram.Root, "packaging", "monitoring");
        await CheckAsync("", "check", "rules", Path.Combine(folder, "raven-alerts.yml"));
        await CheckAsync("", "check", "config", Path.Combine(folder, "prometheus.yml"));
    }

    /// <summary>What it says; it ends with 3 if it has advice.</summary>
    private static async Task<string> CheckAsync(string input, params string[] arguments)
    {
        const int advice = 3;

        using Process process = Process.Start(new ProcessStartInfo(
            Path.Combine(DebianPrograms.RootOf(Package), "usr/bin/promtool"), arguments)
        {
            RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        Task<string> said = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        await process.StandardInput.WriteAsync(input);
        process.StandardInput.Close();
        await process.WaitForExitAsync();
        string all = await said + await errors;
        Assert.True(
            process.ExitCode is 0 or advice,
            $"promtool {string.Join(' ', arguments)} ended with {process.ExitCode}: {all}");
        return all;
    }
}
