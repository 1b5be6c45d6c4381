using FastTests.Server;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>A server in memory that keeps an audit log.</summary>
internal sealed class AuditedServer : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("audited").FullName;

    internal AuditedServer(bool isRequired = true, TimeProvider? clock = null)
    {
        Log = Path.Combine(_folder, "log");
        Server = new InMemoryServer(clock, configure: options => options with
        {
            Security = new SecurityOptions { AuditFolder = Log, IsAuditRequired = isRequired },
        });
    }

    internal InMemoryServer Server { get; }

    /// <summary>The folder of the log.</summary>
    internal string Log { get; }

    /// <summary>The lines so far.</summary>
    internal string[] Lines => LinesOf(Log);

    /// <summary>The lines of a log that is open.</summary>
    internal static string[] LinesOf(string folder)
    {
        using var file = new FileStream(
            Path.Combine(folder, "audit.jsonl"), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        using var reader = new StreamReader(file);
        return reader.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    /// <summary>The log cannot be written any more: a file stands where its folder was.</summary>
    internal void Break()
    {
        Directory.Delete(Log, recursive: true);
        File.WriteAllText(Log, "");
    }

    /// <summary>It can be again.</summary>
    internal void Mend() => File.Delete(Log);

    public void Dispose()
    {
        Server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}
