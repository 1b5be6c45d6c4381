using System.Text.Json;
using Raven.Documents.Backups;
using Raven.Documents.Operations;

namespace Raven.Server.Http.Backups;

/// <summary>What a backup, a restore or a verification says of itself in the state of its operation. Any thread.
/// </summary>
internal sealed class BackupDetail : IOperationDetail
{
    private readonly Lock _lock = new();
    private readonly List<string> _messages = [];
    private BackupResult? _result;
    private string? _directory;
    private long _uploaded = -1;
    private IReadOnlyList<BackupManifest>? _chain;
    private RestoreRequest? _reads;
    private (long Documents, long LastEtag, DateTimeOffset? CommittedAt)? _restored;

    /// <summary>Whether the status of the task has what went wrong already.</summary>
    internal bool IsKept { get; set; }

    /// <summary>Adds a message.</summary>
    internal void Say(string message)
    {
        lock (_lock)
        {
            _messages.Add(message);
        }
    }

    /// <summary>Bytes were copied to a bucket.</summary>
    internal void Uploaded(long bytes) => Interlocked.Exchange(ref _uploaded, bytes);

    /// <summary>A backup was made.</summary>
    internal void Made(BackupResult result, string directory)
    {
        lock (_lock)
        {
            (_result, _directory) = (result, directory);
            if (!result.IsMade)
            {
                _messages.Add("Nothing has changed since the last backup: there is no new file.");
            }

            if (result.WhyFull != null)
            {
                _messages.Add($"All of it was backed up: {result.WhyFull}");
            }
        }
    }

    /// <summary>What a restore, or a verification, reads.</summary>
    internal void Reads(RestoreRequest request)
    {
        lock (_lock)
        {
            _chain = request.Chain;
            _reads = request;
        }
    }

    /// <summary>What was restored.</summary>
    internal void Restored(long documents, long lastEtag, DateTimeOffset? committedAt)
    {
        lock (_lock)
        {
            _restored = (documents, lastEtag, committedAt);
        }
    }

    /// <inheritdoc/>
    public void Write(Utf8JsonWriter json)
    {
        lock (_lock)
        {
            if (_result is { } result)
            {
                json.WriteBoolean("IsFull"u8, result.Manifest.IsFull);
                json.WriteStartObject("LocalBackup"u8);
                json.WriteString("BackupDirectory"u8, _directory);
                json.WriteString("FileName"u8, result.IsMade ? result.Manifest.File : null);
                json.WriteNumber("SizeInBytes"u8, result.IsMade ? result.Manifest.LengthBytes : 0);
                json.WriteEndObject();
                if (Interlocked.Read(ref _uploaded) is >= 0 and long uploaded)
                {
                    json.WriteStartObject("S3Backup"u8);
                    json.WriteNumber("UploadedInBytes"u8, uploaded);
                    json.WriteEndObject();
                }

                json.WriteNumber("LastEtag"u8, result.Manifest.LastEtag);
                json.WriteNumber("Documents"u8, result.Manifest.Documents);
            }

            if (_chain is { } chain)
            {
                json.WriteStartArray("Files"u8);
                foreach (BackupManifest manifest in _reads!.Files)
                {
                    json.WriteStringValue(manifest.File);
                }

                json.WriteEndArray();
                (long documents, long lastEtag, DateTimeOffset? committedAt) =
                    _restored ?? (chain[^1].Documents, chain[^1].LastEtag, chain[^1].CommittedAt);
                json.WriteNumber("LastEtag"u8, lastEtag);
                json.WriteNumber("Documents"u8, documents);
                json.WriteTime("CommittedAt"u8, committedAt);
                json.WriteStartArray("SecretsToEnter"u8);
                foreach (string secret in chain[^1].Secrets)
                {
                    json.WriteStringValue(secret);
                }

                json.WriteEndArray();
            }

            json.WriteStartArray("Messages"u8);
            foreach (string message in _messages)
            {
                json.WriteStringValue(message);
            }

            json.WriteEndArray();
        }
    }
}
