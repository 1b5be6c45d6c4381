using System.Diagnostics;
using System.Globalization;
using SlowTests.Support;

namespace SlowTests.Backups;

/// <summary>A server of S3 that others have written and that checks the signature of each request: Swift of Debian, in
/// a process of its own. It is installed if it is not there and may be.</summary>
internal sealed class SwiftProgram : IDisposable
{
    internal const string Key = "raven:backups";
    internal const string Secret = "s3cr3t+/=";
    internal const string Region = "eu-central-1";

    /// <summary>The Python of Debian, whose packages these are; another one may come first in the path.</summary>
    private const string Python = "/usr/bin/python3";
    private const string Package = "python3-swift";
    private const string Part = "/usr/lib/python3/dist-packages/swift/obj/mem_server.py";

    private static readonly TimeSpan InstallMax = TimeSpan.FromMinutes(4);
    private static readonly Lazy<Task<string?>> Installed = new(InstallAsync);

    private readonly Process _process;
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-swift-").FullName;

    private SwiftProgram(int slowDownEvery)
    {
        _process = Start(
            Python, Path.Combine(NodeProgram.FolderOf("Backups"), "s3_by_swift.py"), _folder, Key, Secret,
            slowDownEvery.ToString(CultureInfo.InvariantCulture));
        string line = _process.StandardOutput.ReadLine()
            ?? throw new InvalidOperationException(_process.StandardError.ReadToEnd());
        Port = int.Parse(line, CultureInfo.InvariantCulture);
        _ = _process.StandardError.ReadToEndAsync();
    }

    internal int Port { get; }

    /// <summary>Starts one; without it the test is skipped, under CI it fails, and says what is missing.</summary>
    /// <param name="slowDownEvery">Of how many requests one is refused as too many; 0 for none.</param>
    internal static async Task<SwiftProgram> StartAsync(int slowDownEvery = 0)
    {
        if (await Installed.Value is { } missing)
        {
            Assert.SkipUnless(Environment.GetEnvironmentVariable("CI") == "true", missing);
            Assert.Fail(missing);
        }

        return new SwiftProgram(slowDownEvery);
    }

    /// <summary>The settings of a folder in its bucket, by a port that leads to it.</summary>
    internal static string Settings(
        int port, string folder, string key = Key, string secret = Secret, string region = Region) => $$"""
        {"BucketName":"backups","RemoteFolderName":"{{folder}}","AwsAccessKey":"{{key}}","AwsSecretKey":"{{secret}}",
         "AwsRegionName":"{{region}}","CustomServerUrl":"http://127.0.0.1:{{port}}","ForcePathStyle":true}
        """;

    public void Dispose()
    {
        _process.StandardInput.Close();
        if (!_process.WaitForExit(TimeSpan.FromSeconds(10)))
        {
            _process.Kill(entireProcessTree: true);
            _process.WaitForExit();
        }

        _process.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    /// <summary>Installs it where that is possible.</summary>
    /// <returns>Why it is not there; null if it is.</returns>
    private static async Task<string?> InstallAsync()
    {
        string missing = $"Swift is not there: apt-get install {Package}";
        if (File.Exists(Part))
        {
            return null;
        }

        if (!File.Exists("/usr/bin/apt-get") || Environment.UserName != "root")
        {
            return missing;
        }

        using var stop = new CancellationTokenSource(InstallMax);
        foreach (string[] arguments in (string[][])
            [["update"], ["install", "--yes", "--no-install-recommends", Package]])
        {
            using Process apt = Start("/usr/bin/env", ["DEBIAN_FRONTEND=noninteractive", "apt-get", .. arguments]);
            apt.StandardInput.Close();
            Task<string> printed = apt.StandardOutput.ReadToEndAsync(stop.Token);
            string errors = await apt.StandardError.ReadToEndAsync(stop.Token);
            await printed;
            await apt.WaitForExitAsync(stop.Token);
            if (apt.ExitCode != 0)
            {
                return $"{missing} ({errors.TrimEnd().Split('\n')[^1]})";
            }
        }

        return File.Exists(Part) ? null : missing;
    }

    private static Process Start(string program, params string[] arguments) =>
        Process.Start(new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
}
