using System.Diagnostics;
using System.Text.Json;
using FastTests.Support;
using SlowTests.Support;

namespace SlowTests.Security;

/// <summary>What testssl.sh says of protocols, cipher suites and known attacks: nothing above INFO.</summary>
public sealed class TestsslTests(ITestOutputHelper output)
{
    /// <summary>What it says of the openssl that it runs.</summary>
    private const string OfThisMachine = "engine_problem";

    private static readonly string[] Good = ["OK", "INFO", "DEBUG"];

    [ProgramFact("/usr/bin/testssl", "testssl.sh")]
    [Trait(Category.Shard, "tls-scan")]
    [Trait("Security", "6")]
    public void Testssl_finds_nothing_in_protocols_ciphers_and_vulnerabilities()
    {
        using var server = new SecuredProcess();
        string report = server.PathOf("report.json");
        using Process testssl = Process.Start(new ProcessStartInfo("/usr/bin/testssl")
        {
            ArgumentList =
            {
                "--quiet", "--color", "0", "--warnings", "batch", "--nodns", "none",
                "--add-ca", server.PathOf("server.crt"), "--jsonfile", report,
                "--protocols", "--std", "--fs", "--server-preference", "--vulnerable", $"127.0.0.1:{server.Port}",
            },
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        })!;
        testssl.StandardInput.Close();
        Task<string> errors = testssl.StandardError.ReadToEndAsync();
        string printed = testssl.StandardOutput.ReadToEnd();
        Assert.True(testssl.WaitForExit(Deadline.Hang));
        output.WriteLine(printed + errors.Result);
        using JsonDocument findings = JsonDocument.Parse(File.ReadAllText(report));
        List<string> bad = [];
        int count = 0;
        foreach (JsonElement one in findings.RootElement.EnumerateArray())
        {
            string severity = one.GetProperty("severity").GetString()!;
            count++;
            if (!Good.Contains(severity) && one.GetProperty("id").GetString() != OfThisMachine)
            {
                bad.Add($"{severity} {one.GetProperty("id").GetString()}: {one.GetProperty("finding").GetString()}");
            }
        }

        Assert.Empty(bad);
        Assert.True(count > 40, $"only {count} findings: {printed}");
    }
}
