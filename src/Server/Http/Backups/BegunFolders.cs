using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;
using Raven.Documents.Backups;
using Raven.Documents.Catalog;

namespace Raven.Server.Http.Backups;

//   BEGUN-1  A folder of backups is written down before anything of it is at its place, and before its removal begins;
//            it is struck out behind its first manifest, or its removal. What a killed run left without a manifest is
//            removed by the next run that goes to the same place. A folder with a manifest never is, nor one that
//            nobody has written down.

/// <summary>The folders of backups that were begun, among the records of the server. Any thread.</summary>
/// <param name="records">The records.</param>
internal sealed class BegunFolders(ServerRecords records)
{
    private const string Prefix = "backups-begun/";

    /// <summary>Those that are being written in this process.</summary>
    private readonly ConcurrentDictionary<string, byte> _running = new(StringComparer.Ordinal);

    /// <summary>How many are written down.</summary>
    internal int Count => records.Read(Prefix).Count;

    /// <summary>Begins to write down what one run makes at a place.</summary>
    internal Run Of(IBackupDestination place) => new(this, place.Description);

    /// <summary>Removes what killed runs have left at a place.</summary>
    /// <param name="place">The place; no run is killed there while it is used by this process.</param>
    /// <param name="problems">Takes what could not be removed, and why: it is tried again by the next run.</param>
    /// <param name="cancellation">Ends it between two folders.</param>
    internal async Task RemoveLeftAsync(
        IBackupDestination place, ICollection<string> problems, CancellationToken cancellation)
    {
        foreach ((string key, byte[] value) in records.Read(Prefix))
        {
            JsonNode? begun = JsonNode.Parse(value);
            if (_running.ContainsKey(key) || (string?)begun?["Place"] != place.Description
                || (string?)begun?["Folder"] is not { } name)
            {
                continue;
            }

            cancellation.ThrowIfCancellationRequested();
            try
            {
                if (!await HasManifestAsync(place, name, cancellation).ConfigureAwait(false))
                {
                    await place.DeleteAsync(name, cancellation).ConfigureAwait(false);
                }

                records.Write([new(key, null)]);
            }
            catch (Exception e) when (e is BackupException or IOException or UnauthorizedAccessException)
            {
                problems.Add($"'{name}', which a run that was killed has left, could not be removed: {e.Message}");
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

    private void Write(KeyValuePair<string, byte[]?>[] changes) => records.Write(changes);

    /// <summary>What one run makes, or removes, at a place. One thread at a time.</summary>
    internal sealed class Run(BegunFolders owner, string place) : IDisposable
    {
        private readonly List<string> _keys = [];

        /// <summary>Writes a folder down.</summary>
        internal void Begin(string folder)
        {
            string key = KeyOf(place, folder);
            owner._running[key] = 0;
            _keys.Add(key);
            string json = new JsonObject { ["Place"] = place, ["Folder"] = folder }.ToJsonString();
            owner.Write([new(key, Encoding.UTF8.GetBytes(json))]);
        }

        /// <summary>All has ended well: its folders are struck out.</summary>
        internal void Complete()
        {
            if (_keys.Count > 0)
            {
                owner.Write([.. _keys.Select(static key => new KeyValuePair<string, byte[]?>(key, null))]);
            }
        }

        /// <summary>What was not completed stays written down: the next run looks whether anything is left of it.
        /// </summary>
        public void Dispose()
        {
            foreach (string key in _keys)
            {
                owner._running.TryRemove(key, out _);
            }
        }
    }
}
