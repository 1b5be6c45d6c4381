using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Documents.Backups;
using Raven.Documents.Catalog;

namespace Raven.Server.Http.Backups;

//   BEGUN-1  A folder of backups is written down before anything of it is at its place, and before its removal begins;
//            it is struck out behind its first manifest, or its removal. What a killed run left without a manifest is
//            removed by the next run that goes to the same place. A folder with a manifest never is, nor one that
//            nobody has written down, nor one that a run of this process writes: it waits until the removal has ended.

/// <summary>The folders of backups that were begun, among the records of the server. Any thread.</summary>
/// <param name="records">The records.</param>
/// <param name="time">The time.</param>
internal sealed class BegunFolders(ServerRecords records, TimeProvider time)
{
    private const string Prefix = "backups-begun/";

    /// <summary>How long what was begun at a place is remembered if no run goes there again.</summary>
    private static readonly TimeSpan KeptMax = TimeSpan.FromDays(90);

    private readonly Lock _gate = new();

    /// <summary>Those that are being written in this process, and by how many runs.</summary>
    private readonly Dictionary<string, int> _running = new(StringComparer.Ordinal);

    /// <summary>Those that are being removed, and what ends with that.</summary>
    private readonly Dictionary<string, TaskCompletionSource> _claimed = new(StringComparer.Ordinal);

    /// <summary>How many are written down.</summary>
    internal int Count => records.Read(Prefix).Count;

    private DateTimeOffset Now => time.GetUtcNow();

    /// <summary>Begins to write down what one run makes at a place.</summary>
    internal Run Of(IBackupDestination place) => new(this, place.Key);

    /// <summary>Removes what killed runs have left at a place.</summary>
    /// <param name="place">The place; no run is killed there while it is used by this process.</param>
    /// <param name="problems">Takes what could not be removed, and why: it is tried again by the next run.</param>
    /// <param name="cancellation">Ends it between two folders.</param>
    internal async Task RemoveLeftAsync(
        IBackupDestination place, ICollection<string> problems, CancellationToken cancellation)
    {
        foreach ((string key, byte[] value) in records.Read(Prefix))
        {
            cancellation.ThrowIfCancellationRequested();
            Record? begun = Record.Parse(value);
            bool isHere = begun?.Place == place.Key;
            bool isKept = begun?.At is { } at && Now - at <= KeptMax;
            if ((!isHere && isKept) || !TryClaim(key))
            {
                continue;
            }

            try
            {
                if (isHere && !await HasManifestAsync(place, begun!.Folder, cancellation).ConfigureAwait(false))
                {
                    await place.DeleteAsync(begun!.Folder, cancellation).ConfigureAwait(false);
                }

                records.Write([new(key, null)]);
            }
            catch (Exception e) when (e is BackupException or IOException or UnauthorizedAccessException)
            {
                problems.Add(
                    $"'{begun?.Folder}', which a run that was killed has left, could not be removed: {e.Message}");
            }
            finally
            {
                EndClaim(key);
            }
        }
    }

    private static async Task<bool> HasManifestAsync(
        IBackupDestination place, string name, CancellationToken cancellation)
    {
        if (!await place.ExistsAsync(name, cancellation).ConfigureAwait(false))
        {
            return false;
        }

        IReadOnlyList<string> files = await place.Open(name).ListAsync(cancellation).ConfigureAwait(false);
        return files.Any(static file => file.EndsWith(BackupManifest.Suffix, StringComparison.Ordinal));
    }

    private static string KeyOf(string place, string folder) =>
        Prefix + Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes($"{place}\n{folder}")));

    /// <summary>Takes a folder in order to remove it: runs that come to it wait.</summary>
    /// <returns>False if a run writes it, or another one removes it.</returns>
    private bool TryClaim(string key)
    {
        lock (_gate)
        {
            return !_running.ContainsKey(key)
                && _claimed.TryAdd(key, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        }
    }

    private void EndClaim(string key)
    {
        TaskCompletionSource? claim;
        lock (_gate)
        {
            _claimed.Remove(key, out claim);
        }

        claim!.SetResult();
    }

    /// <summary>Takes a folder in order to write it, behind the removal of what was left of it.</summary>
    private async ValueTask EnterAsync(string key, CancellationToken cancellation)
    {
        while (true)
        {
            TaskCompletionSource? claim;
            lock (_gate)
            {
                if (!_claimed.TryGetValue(key, out claim))
                {
                    _running[key] = _running.GetValueOrDefault(key) + 1;
                    return;
                }
            }

            await claim.Task.WaitAsync(cancellation).ConfigureAwait(false);
        }
    }

    private void Leave(string key)
    {
        lock (_gate)
        {
            if (--_running[key] == 0)
            {
                _running.Remove(key);
            }
        }
    }

    private void Write(string key, Record begun) =>
        records.Write([new(key, Encoding.UTF8.GetBytes(begun.ToJson()))]);

    private void Strike(IEnumerable<string> keys) =>
        records.Write([.. keys.Select(static key => new KeyValuePair<string, byte[]?>(key, null))]);

    /// <summary>What one run makes, or removes, at a place. One thread at a time.</summary>
    internal sealed class Run(BegunFolders owner, string place) : IDisposable
    {
        private readonly List<string> _keys = [];

        /// <summary>Writes a folder down, as soon as nobody removes what was left of it.</summary>
        internal async ValueTask BeginAsync(string folder, CancellationToken cancellation)
        {
            string key = KeyOf(place, folder);
            await owner.EnterAsync(key, cancellation).ConfigureAwait(false);
            _keys.Add(key);
            owner.Write(key, new Record(place, folder, owner.Now));
        }

        /// <summary>All has ended well: its folders are struck out.</summary>
        internal void Complete()
        {
            if (_keys.Count > 0)
            {
                owner.Strike(_keys);
            }
        }

        /// <summary>What was not completed stays written down: the next run looks whether anything is left of it.
        /// </summary>
        public void Dispose()
        {
            _keys.ForEach(owner.Leave);
            _keys.Clear();
        }
    }

    /// <summary>What is written down of a folder.</summary>
    private sealed record Record(string Place, string Folder, DateTimeOffset? At)
    {
        /// <summary>Reads one; null for what is none.</summary>
        internal static Record? Parse(byte[] value)
        {
            try
            {
                return JsonNode.Parse(value) is JsonObject json && TextOf(json, "Place") is { } place
                    && TextOf(json, "Folder") is { Length: > 0 } folder
                    ? new Record(place, folder, TimeOf(TextOf(json, "At")))
                    : null;
            }
            catch (Exception e) when (e is JsonException or ArgumentException or InvalidOperationException)
            {
                // The second: a member that is there twice. The last: a text that is no UTF-8.
                return null;
            }
        }

        internal string ToJson() => new JsonObject
        {
            [nameof(Place)] = Place,
            [nameof(Folder)] = Folder,
            [nameof(At)] = At?.ToString("O", CultureInfo.InvariantCulture),
        }.ToJsonString();

        private static string? TextOf(JsonObject json, string name) =>
            json[name] is JsonValue value && value.TryGetValue(out string? text) ? text : null;

        private static DateTimeOffset? TimeOf(string? text) =>
            DateTimeOffset.TryParse(
                text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset at)
                ? at
                : null;
    }
}
