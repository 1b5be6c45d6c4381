using System.Security.Cryptography;
using System.Text;
using Raven.Documents.Catalog;
using Raven.Security.Certificates;
using Raven.Security.Secrets;
using Raven.Server.Options;

namespace Raven.Server.Http.Security;

//   KEYS-1  Beside what is sealed stands which key has sealed it. A start with another key, or without one, is
//           found out before anything is sealed anew: it is never made up for by a new key.
//   KEYS-2  A rotation seals all anew in one transaction, between two moves of files (KEYFILE-1). Whenever it is cut
//           off, the next start finds the key that opens everything.

/// <summary>
/// The master key of a server, and the keys that are sealed under it. A key is made at the first need. Safe for all
/// threads; while requests run, it is used within the lock of the catalog, which comes before its own.
/// </summary>
internal sealed class ServerKeys : IDisposable
{
    private const string CheckRecord = "keys/check";
    private const string AuditRecord = "keys/audit";
    private const int PrintedBytesMax = 4096;
    private const string AuditPlace = "server/audit key";
    private const string NodeRecord = "keys/node";
    private const string NodePlace = "server/node key";

    private readonly Lock _lock = new();
    private readonly MasterKeyFile? _file;
    private readonly bool _isPrinted;
    private readonly ServerRecords _records;
    private SecretSealer? _sealer;
    private volatile bool _isKept;

    private ServerKeys(MasterKeyFile? file, bool isPrinted, ServerRecords records)
    {
        _file = file;
        _isPrinted = isPrinted;
        _records = records;
    }

    /// <summary>Why nothing that is sealed can be opened; null if it can be, or nothing is sealed.</summary>
    internal string? Fault { get; private set; }

    /// <summary>What is sealed under the key, beside the records of databases.</summary>
    internal ServerRecords Records => _records;

    /// <summary>Tells the master key without giving it away; null if there is none yet, or it cannot be used.</summary>
    internal string? KeyCheck
    {
        get
        {
            lock (_lock)
            {
                return _sealer?.KeyCheck;
            }
        }
    }

    /// <summary>Whether an audit log was ever kept.</summary>
    internal bool HasAuditKey => Text(_records, AuditRecord) != null;

    /// <summary>Seals and opens under the master key; makes that if there is none yet.</summary>
    /// <exception cref="MasterKeyException">There is none, or not the right one.</exception>
    internal SecretSealer Sealer
    {
        get
        {
            SecretSealer sealer;
            lock (_lock)
            {
                if (Fault != null)
                {
                    throw new MasterKeyException(Fault);
                }

                sealer = _sealer ??= SealerOf(_file?.ReadOrMake() ?? MasterKey.Make());
            }

            if (!_isKept)
            {
                _records.Write([new(CheckRecord, Encoding.ASCII.GetBytes(sealer.KeyCheck))]);
                _isKept = true;
            }

            return sealer;
        }
    }

    /// <summary>Reads the key of a server, if there is one, and checks that it is the one that has sealed.</summary>
    /// <param name="options">Where it is. That of a server in memory is made, unless the options name one.</param>
    /// <param name="dataFolder">The folder of the data.</param>
    /// <param name="records">Hold what is sealed.</param>
    /// <exception cref="MasterKeyException">It cannot be used: others can read it, or it is no key.</exception>
    internal static ServerKeys Open(ServerOptions options, string dataFolder, ServerRecords records)
    {
        SecurityOptions security = options.Security;
        CertificateProgram? program = security.ToMasterKeyProgram();
        if (program != null && security.MasterKeyPath != null)
        {
            throw new MasterKeyException(
                "Security.MasterKey.Path and Security.MasterKey.Exec are both set, and there is one master key.");
        }

        MasterKeyFile? file = program != null ? null
            : security.MasterKeyPath is { } path ? MasterKeyFile.At(path, dataFolder)
            : options.RunInMemory ? null
            : MasterKeyFile.In(security.KeysFolder, dataFolder);
        var keys = new ServerKeys(file, program != null, records);
        string? check = Text(records, CheckRecord);
        if (program != null)
        {
            keys._sealer = SealerOf(Printed(program, security.MasterKeyProgram!));
        }
        else if (file is { Exists: true } || (security.MasterKeyPath != null && file is { HasNext: false }))
        {
            // One that the options name has to be there.
            keys._sealer = SealerOf(file.Read());
        }

        keys._isKept = check != null;
        if (check != null && keys._sealer?.KeyCheck != check)
        {
            keys.EndRotation(check);
        }

        return keys;
    }

    /// <summary>The key of the chain of the audit log. It stays the same over rotations of the master key.</summary>
    /// <exception cref="MasterKeyException">It cannot be opened.</exception>
    internal byte[] AuditKey()
    {
        SecretSealer sealer = Sealer;
        if (Text(_records, AuditRecord) is { } kept)
        {
            return Convert.FromBase64String(sealer.Open(kept, AuditPlace));
        }

        byte[] key = RandomNumberGenerator.GetBytes(MasterKey.SizeBytes);
        string made = sealer.Seal(Convert.ToBase64String(key), AuditPlace);
        _records.Write([new(AuditRecord, Encoding.ASCII.GetBytes(made))]);
        return key;
    }

    /// <summary>The key pair for which other nodes of a cluster wrap keys; it is made at the first need, and stays the
    /// same over rotations of the master key.</summary>
    /// <exception cref="MasterKeyException">It cannot be opened.</exception>
    internal NodeKey NodeKey()
    {
        SecretSealer sealer = Sealer;
        if (Text(_records, NodeRecord) is { } kept)
        {
            return Raven.Security.Secrets.NodeKey.Import(
                Convert.FromBase64String(sealer.Open(kept, NodePlace)));
        }

        var pair = Raven.Security.Secrets.NodeKey.Make();
        string made = sealer.Seal(Convert.ToBase64String(pair.Export()), NodePlace);
        _records.Write([new(NodeRecord, Encoding.ASCII.GetBytes(made))]);
        return pair;
    }

    /// <summary>Replaces the master key, and seals everything anew.</summary>
    /// <param name="reseal">Gives the record of a database sealed anew, or null if it has nothing that is sealed: from
    /// what opens it, and what seals it.</param>
    /// <param name="others">Gives records of the server sealed anew.</param>
    /// <exception cref="MasterKeyException">It cannot be done. Nothing has changed.</exception>
    /// <exception cref="IOException">The storage cannot be written; the next start finds the right key.</exception>
    internal void Rotate(
        Func<DatabaseRecord, SecretSealer, SecretSealer, byte[]?> reseal,
        Func<SecretSealer, SecretSealer, KeyValuePair<string, byte[]?>[]> others)
    {
        if (_isPrinted)
        {
            throw new MasterKeyException(
                "The master key is printed by a program (Security.MasterKey.Exec): it cannot be replaced from here. To "
                + "replace it, have the server take it from a file (Security.MasterKey.Path) and rotate that.");
        }

        SecretSealer old = Sealer;
        SecretSealer next = SealerOf(_file?.MakeNext() ?? MasterKey.Make());
        try
        {
            _records.RewriteDatabases(
                record => reseal(record, old, next), () => [.. Reseal(old, next), .. others(old, next)],
                () => Use(next));
        }
        catch (MasterKeyException)
        {
            // If the storage fails, the next key stays: what is sealed under it may be on the disk.
            _file?.ForgetNext();
            next.Dispose();
            throw;
        }

        old.Dispose();
        _file?.TakeNext();
    }

    /// <inheritdoc/>
    public void Dispose() => _sealer?.Dispose();

    private List<KeyValuePair<string, byte[]?>> Reseal(SecretSealer old, SecretSealer next)
    {
        List<KeyValuePair<string, byte[]?>> records =
            [new(CheckRecord, Encoding.ASCII.GetBytes(next.KeyCheck))];
        foreach ((string name, string place) in ((string, string)[])
            [(AuditRecord, AuditPlace), (NodeRecord, NodePlace)])
        {
            if (Text(_records, name) is { } kept)
            {
                string made = next.Seal(old.Open(kept, place), place);
                records.Add(new(name, Encoding.ASCII.GetBytes(made)));
            }
        }

        return records;
    }

    /// <summary>The key has not sealed what there is: does the one that a rotation has made?</summary>
    private void EndRotation(string check)
    {
        bool isThere = _sealer != null;
        _sealer?.Dispose();
        _sealer = null;
        if (_file is { HasNext: true })
        {
            SecretSealer next = SealerOf(_file.ReadNext());
            if (next.KeyCheck == check)
            {
                _file.TakeNext();
                _sealer = next;
                return;
            }

            next.Dispose();
        }

        string what = isThere ? "is another one than that" : "is missing";
        string where = _isPrinted ? "of Security.MasterKey.Exec" : $"'{_file?.Path}'";
        Fault = $"The master key {where} {what} under which this server's secrets are sealed. Put that key there, or "
            + "name it by Security.MasterKey.Path.";
    }

    private static MasterKey Printed(CertificateProgram program, string name)
    {
        byte[] printed = [];
        try
        {
            printed = program.Run(PrintedBytesMax);
            return MasterKey.Of(printed, $"What '{name}' prints");
        }
        catch (CertificateException e)
        {
            throw new MasterKeyException($"The master key cannot be had: {e.Message}", e);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(printed);
        }
    }

    private void Use(SecretSealer next)
    {
        lock (_lock)
        {
            _sealer = next;
        }
    }

    private static SecretSealer SealerOf(MasterKey master)
    {
        using (master)
        {
            return new SecretSealer(master);
        }
    }

    private static string? Text(ServerRecords records, string key) =>
        records.Read(key) is [var (name, value)] && name == key ? Encoding.ASCII.GetString(value) : null;
}
