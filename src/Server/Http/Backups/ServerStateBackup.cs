using System.Collections.Concurrent;
using System.Globalization;
using Raven.Documents.Backups;

namespace Raven.Server.Http.Backups;

/// <summary>Writes the state of the server beside the backups of all databases, when it has changed. Any thread.
/// </summary>
internal sealed class ServerStateBackup(ServerState server) : IDisposable
{
    /// <summary>The folder of the states; no database has such a name.</summary>
    internal const string Folder = ".server";

    /// <summary>How many states stay at least, whatever their age.</summary>
    private const int KeptMin = 10;

    private readonly SemaphoreSlim _one = new(1, 1);
    private readonly ConcurrentDictionary<string, string> _written = new(StringComparer.Ordinal);

    /// <summary>Writes it to the places of a task of all databases, if they do not have it.</summary>
    /// <exception cref="BackupException">A place did not take it.</exception>
    internal async Task WriteAsync(BackupConfiguration task, DateTimeOffset now, CancellationToken cancellation)
    {
        await _one.WaitAsync(cancellation).ConfigureAwait(false);
        try
        {
            string place = $"{task.TaskId} {task.Places} {task.ToKey()?.KeyCheck}";
            string hash = ServerStateFile.HashOf(server.Databases.Records, server.Databases.Names());
            if (_written.TryGetValue(place, out string? last) && last == hash)
            {
                return;
            }

            byte[] state = ServerStateFile.Write(
                server.Databases.Records, server.Security.MasterKeyCheck, server.Databases.Names(), now);
            using BackupPlaces places = BackupPlace.Open(server, task);
            await WriteAsync(task, places.Main.Open(Folder), state, now, cancellation).ConfigureAwait(false);
            if (places.Second is { } second)
            {
                await WriteAsync(task, second.Open(Folder), state, now, cancellation).ConfigureAwait(false);
            }

            _written[place] = hash;
        }
        finally
        {
            _one.Release();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _one.Dispose();

    private static async Task WriteAsync(
        BackupConfiguration task, IBackupFiles files, byte[] state, DateTimeOffset now, CancellationToken cancellation)
    {
        IReadOnlyList<string> names = await files.ListAsync(cancellation).ConfigureAwait(false);
        string stamp = now.ToString("yyyy-MM-dd-HH-mm-ss", CultureInfo.InvariantCulture);
        string ending = task.Key == null ? ServerStateFile.Ending : ServerStateFile.EncryptedEnding;
        string name = stamp + ending;
        for (int number = 1; names.Contains(name); number++)
        {
            name = $"{stamp}-{number}{ending}";
        }

        BackupFileStream writer = await files.CreateAsync(name, state.Length, cancellation).ConfigureAwait(false);
        await using (writer.ConfigureAwait(false))
        {
            Stream? sealing = task.ToKey()?.Encrypt(writer);
            await (sealing ?? writer).WriteAsync(state, cancellation).ConfigureAwait(false);
            if (sealing != null)
            {
                await sealing.DisposeAsync().ConfigureAwait(false);
            }

            await writer.CompleteAsync(cancellation).ConfigureAwait(false);
        }

        if (task.Retention is { } kept)
        {
            string oldest = (now - kept).ToString("yyyy-MM-dd-HH-mm-ss", CultureInfo.InvariantCulture);
            foreach (string old in names.Append(name).Where(IsState).OrderDescending(StringComparer.Ordinal)
                .Skip(KeptMin).Where(one => string.CompareOrdinal(one, oldest) < 0))
            {
                await files.DeleteAsync(old, cancellation).ConfigureAwait(false);
            }
        }
    }

    private static bool IsState(string name) =>
        name.EndsWith(ServerStateFile.Ending, StringComparison.Ordinal)
        || name.EndsWith(ServerStateFile.EncryptedEnding, StringComparison.Ordinal);
}
