using System.Text;
using FastTests.Server;
using Microsoft.Extensions.Logging;
using Raven.Documents.Catalog;
using Raven.Server;
using Raven.Server.Diagnostics;
using Raven.Server.Http;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>The folders of a server that a test opens again and again: data, keys, and an audit log.</summary>
internal sealed class KeyedServer : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("keyed").FullName;
    private readonly LoggerFactory _loggers;

    internal KeyedServer(bool keepsAudit = false)
    {
        _loggers = new LoggerFactory([Log]);
        Options = new ServerOptions
        {
            DataDirectory = Path.Combine(_folder, "data"),
            Security = new SecurityOptions
            {
                KeysFolder = Path.Combine(_folder, "keys"),
                AuditFolder = keepsAudit ? Path.Combine(_folder, "log") : null,
            },
        };
    }

    internal WarningsLog Log { get; } = new();

    internal ServerOptions Options { get; set; }

    /// <summary>The file of the master key.</summary>
    internal string Key => Path.Combine(Options.Security.KeysFolder, "master.key");

    /// <summary>Opens the folders without the network; the caller disposes of it.</summary>
    internal ServerState Open() => ServerHost.CreateState(
        Options, Options.DataDirectory, TimeProvider.System, new LogSwitch(_loggers, LogLevel.Warning));

    /// <summary>Makes the database red, whose record has secrets.</summary>
    internal void Plant()
    {
        using ServerState server = Open();
        Assert.Equal(
            CreateDatabaseStatus.Created,
            server.Databases.TryCreate("red", Encoding.UTF8.GetBytes(RecordCanaries.Planted()), out _));
    }

    /// <summary>Writes the record back as it was shown, and seals all of it anew: each secret has to open for that.
    /// </summary>
    internal void AssertOpens()
    {
        using ServerState server = Open();
        Assert.True(server.Databases.TryUpdateRecord(
            "red", null, Encoding.UTF8.GetBytes(RecordCanaries.Masked), out _));
        server.Security.Secrets.Rotate();
    }

    public void Dispose()
    {
        _loggers.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}
