using System.Diagnostics;
using System.Globalization;
using SlowTests.Support;

namespace SlowTests.Backups;

/// <summary>A server of S3 that others have written (s3rver), in a process of its own. Of signatures it checks the key
/// alone; the server of the fast tests checks all of them.</summary>
internal sealed class S3Program : IDisposable
{
    internal const string Key = "S3RVER";

    private readonly Process _process;
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-s3-").FullName;

    private S3Program()
    {
        _process = NodeProgram.Start(NodeProgram.FolderOf("S3"), "server.mjs", _folder);
        string line = _process.StandardOutput.ReadLine()
            ?? throw new InvalidOperationException(_process.StandardError.ReadToEnd());
        Port = int.Parse(line, CultureInfo.InvariantCulture);
    }

    internal int Port { get; }

    internal static S3Program Start() => new();

    /// <summary>The settings of a folder in its bucket, by a port that leads to it.</summary>
    internal static string Settings(int port, string folder, string key = Key) => $$"""
        {"BucketName":"backups","RemoteFolderName":"{{folder}}","AwsAccessKey":"{{key}}","AwsSecretKey":"{{Key}}",
         "AwsRegionName":"us-east-1","CustomServerUrl":"http://127.0.0.1:{{port}}","ForcePathStyle":true}
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
}
