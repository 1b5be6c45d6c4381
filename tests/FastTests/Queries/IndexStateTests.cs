using FastTests.Support;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Storage;

namespace FastTests.Queries;

/// <summary>What is known of an index besides its content: over restarts, and when it cannot go on.</summary>
public sealed class IndexStateTests
{
    private const string Map =
        "map('Users', u => { if (u.Bad) { throw new Error('no ' + u.Bad); } return { A: u.A }; })";

    [Fact]
    [Trait("Invariant", "RUN-4")]
    public void Errors_lock_mode_priority_and_disabled_state_of_an_index_outlive_a_restart_and_a_pause_does_not()
    {
        using IndexedDatabase database = new(new IndexingOptions { FailuresKept = 3 });
        Write(database, 20, isBad: false);
        Write(database, 5, isBad: true);
        DatabaseIndex index = Make(database, "Mine");
        Make(database, "Paused").IsPaused = true;
        database.Ask("from index 'Mine'");
        IndexFailure[] failures = index.Failures.ToArray();
        Assert.Equal(["users/bad2", "users/bad3", "users/bad4"], failures.Select(one => one.DocumentId));
        Assert.All(failures, one => Assert.Contains("no way", one.Message, StringComparison.Ordinal));
        Change(database, "Mine", one => one with
        {
            LockMode = IndexLockMode.LockedIgnore,
            Priority = IndexPriority.Low,
            State = IndexState.Disabled,
        });

        database.Restart();
        DatabaseIndex kept = database.Database.Indexes.Find("Mine")!;
        Assert.Equal(IndexState.Disabled, kept.State);
        Assert.Equal(IndexLockMode.LockedIgnore, kept.Definition.LockMode);
        Assert.Equal(IndexPriority.Low, kept.Definition.Priority);
        Assert.Equal(failures, Hold(database, () => kept.Maintenance.ReadFailures()));
        Assert.False(database.Database.Indexes.Find("Paused")!.IsPaused);

        Write(database, 21, isBad: false);
        Assert.False(kept.IsRunning);
        Change(database, "Mine", one => one with { State = IndexState.Normal });
        Assert.Equal(21, database.Ask("from index 'Mine'").Ids.Count);

        Hold(database, () =>
        {
            kept.Maintenance.ClearFailures();
            return true;
        });
        database.Restart();
        Assert.Empty(Hold(database, () => database.Database.Indexes.Find("Mine")!.Maintenance.ReadFailures()));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_index_that_is_made_while_all_are_paused_or_let_go_on_is_as_they_are(bool isPaused)
    {
        using IndexedDatabase database = new();
        DatabaseIndexes indexes = database.Database.Indexes;
        DatabaseIndex old = Make(database, "Old");
        indexes.Pause.SetAll(!isPaused);
        int pauses = indexes.Pause.Changes;
        var definition = new IndexDefinition { Name = "New", Maps = [Map] };
        DatabaseIndex made = indexes.Create(
            new IndexRecord(definition, indexes.NextFolder(), TimeProvider.System.GetUtcNow()));
        indexes.Pause.SetAll(isPaused);
        indexes.Publish([made], []);
        Assert.Equal(isPaused, made.IsPaused);
        Assert.Equal(isPaused, old.IsPaused);

        // One that was told otherwise since keeps that, also if it comes again.
        indexes.Pause.Set(made, !isPaused);
        indexes.Publish([made], ["Old"]);
        Assert.Equal(!isPaused, made.IsPaused);

        // One that was paused for a while is again as it was, unless all were told otherwise since.
        indexes.Pause.Restore(made, wasPaused: !isPaused, pauses);
        Assert.Equal(isPaused, made.IsPaused);
        indexes.Pause.Restore(made, wasPaused: !isPaused, indexes.Pause.Changes);
        Assert.Equal(!isPaused, made.IsPaused);
        indexes.Publish([old], []);
    }

    [Fact]
    [Trait("Invariant", "RUN-4")]
    [Trait("Invariant", "FAIL-1")]
    public void An_index_with_too_many_failed_documents_stays_stopped_over_restarts_until_it_is_reset()
    {
        using IndexedDatabase database = new(new IndexingOptions { AttemptsMin = 10 });
        Write(database, 8, isBad: false);
        DatabaseIndex index = Make(database, "Mine");
        database.Ask("from index 'Mine'");
        Write(database, 8, isBad: true);
        Eventually(() => index.Record.Fault is not null);
        Assert.Contains("8 of 16", index.Fault, StringComparison.Ordinal);

        database.Restart();
        index = database.Database.Indexes.Find("Mine")!;
        Assert.Equal(IndexState.Error, index.State);
        Assert.Contains("8 of 16", index.Fault, StringComparison.Ordinal);
        Assert.Equal(8, Hold(database, () => index.Maintenance.ReadFailures()).Length);
        Write(database, 9, isBad: false);
        Assert.Equal(16, index.Position.MapAttempts);

        Delete(database, 8);
        Reset(database);
        Assert.Equal(9, database.Ask("from index 'Mine'").Ids.Count);
        database.Restart();
        Assert.Equal(IndexState.Normal, database.Database.Indexes.Find("Mine")!.State);
        Assert.Empty(Hold(database, () => database.Database.Indexes.Find("Mine")!.Maintenance.ReadFailures()));
    }

    [Fact]
    [Trait("Fault", "D19")]
    [Trait("Invariant", "FAIL-2")]
    [Trait("Invariant", "IDX-2")]
    public void An_index_in_which_a_query_finds_damage_is_rebuilt_from_its_documents_and_the_damage_reported()
    {
        using IndexedDatabase database = new();
        Write(database, 3000, isBad: false);
        DatabaseIndex index = Make(database, "Mine");
        Assert.Equal(3000, database.Ask("from index 'Mine'").Ids.Count);
        database.Restart(() => DamageContent(database));
        long documents = CountOfDocuments(database);
        Eventually(() =>
        {
            try
            {
                return database.Ask("from index 'Mine'").Ids.Count == 3000;
            }
            catch (Raven.Storage.Errors.StorageCorruptedException)
            {
                return false;
            }
        });
        index = database.Database.Indexes.Find("Mine")!;
        Assert.Contains(
            Hold(database, () => index.Maintenance.ReadFailures()),
            one => one.Message.StartsWith("It was rebuilt", StringComparison.Ordinal));
        Assert.Equal(documents, CountOfDocuments(database));
        Assert.Equal(3000, index.Position.MapAttempts);
    }

    [Fact]
    [Trait("Invariant", "IDXS-1")]
    public void A_new_index_does_not_use_the_folder_that_a_lost_record_left_behind()
    {
        using IndexedDatabase database = new();
        Write(database, 3, isBad: false);
        Make(database, "Mine");
        database.Ask("from index 'Mine'");
        string folder = Assert.Single(database.Folders.List());
        Dictionary<string, byte[]> files = [];
        database.Restart(() => files = Copy(database, folder));
        Drop(database);
        database.Restart(() => PutBack(database, folder, files));
        DatabaseIndex other = Put(database, "Other", "map('Users', u => ({ B: u.A }))");
        Assert.Equal(3, database.Ask("from index 'Other' where exists(B)").Ids.Count);
        Assert.Equal(3, other.Position.MapAttempts);
    }

    [Fact]
    [Trait("Invariant", "IDXS-3")]
    public void The_files_of_an_index_are_closed_with_its_database_and_opened_again_by_its_next_use()
    {
        using IndexedDatabase database = new();
        Write(database, 3, isBad: false);
        DatabaseIndex index = Make(database, "Mine");
        Assert.Equal(3, database.Ask("from index 'Mine'").Ids.Count);
        Hold(database, () =>
        {
            Assert.False(database.Database.TryClose());
            Assert.NotNull(index.OpenedStorage);
            return true;
        });
        Eventually(database.Database.TryClose);
        Assert.Null(index.OpenedStorage);
        Assert.Equal(3, database.Ask("from index 'Mine'").Ids.Count);
    }

    [Fact]
    [Trait("Invariant", "IDXP-2")]
    [Trait("Invariant", "IDXS-1")]
    public void A_folder_that_no_record_names_is_removed_and_the_index_stays_in_the_one_that_its_record_names()
    {
        using IndexedDatabase database = new();
        Write(database, 3, isBad: false);
        Make(database, "Mine");
        database.Ask("from index 'Mine'");
        string folder = Assert.Single(database.Folders.List());
        string other = $"{folder}0";
        database.Restart(() => PutBack(
            database, other, Copy(database, folder).ToDictionary(
                file => file.Key.Replace(folder, other, StringComparison.Ordinal), file => file.Value)));
        Assert.Equal(3, database.Ask("from index 'Mine'").Ids.Count);
        Assert.Equal([folder], database.Folders.List());
    }

    private static void DamageContent(IndexedDatabase database)
    {
        string folder = database.Folders.Open(database.Folders.List()[0]).Description;
        string data = Directory.EnumerateFiles(folder).MaxBy(file => new FileInfo(file).Length)!;
        byte[] bytes = File.ReadAllBytes(data);
        for (int i = 64 << 10; i < bytes.Length; i += 4096)
        {
            bytes[i + 2000] ^= 0x5A;
        }

        File.WriteAllBytes(data, bytes);
    }

    private static Dictionary<string, byte[]> Copy(IndexedDatabase database, string folder) =>
        Directory.EnumerateFiles(database.Folders.Open(folder).Description)
            .Where(path => Path.GetExtension(path) != ".lock")
            .ToDictionary(path => path, File.ReadAllBytes);

    private static void PutBack(IndexedDatabase database, string folder, Dictionary<string, byte[]> files)
    {
        database.Folders.Open(folder);
        foreach ((string path, byte[] bytes) in files)
        {
            File.WriteAllBytes(path, bytes);
        }
    }

    private static DatabaseIndex Make(IndexedDatabase database, string name) => Put(database, name, Map);

    private static DatabaseIndex Put(IndexedDatabase database, string name, string map) =>
        database.Database.Indexes.Changes.PutAsync(new IndexDefinition { Name = name, Maps = [map] }).AsTask().Result;

    private static void Change(
        IndexedDatabase database, string name, Func<IndexDefinition, IndexDefinition> change) =>
        Assert.True(database.Database.Indexes.Changes.UpdateAsync(name, change).AsTask().Result);

    private static void Reset(IndexedDatabase database) =>
        Assert.True(database.Database.Indexes.Changes.ResetAsync("Mine").AsTask().Result);

    private static void Drop(IndexedDatabase database) =>
        Assert.True(database.Database.Indexes.Changes.DeleteAsync("Mine").AsTask().Result);

    private static T Hold<T>(IndexedDatabase database, Func<T> what)
    {
        using Raven.Documents.DocumentSnapshot snapshot = database.Database.BeginRead();
        return what();
    }

    private static long CountOfDocuments(IndexedDatabase database)
    {
        using Raven.Documents.DocumentSnapshot snapshot = database.Database.BeginRead();
        return snapshot.DocumentCount;
    }

    private static void Write(IndexedDatabase database, int count, bool isBad)
    {
        database.Begin();
        for (int i = 0; i < count; i++)
        {
            database.Put(
                isBad ? $"users/bad{i}" : $"users/{i}",
                $$"""{"A":{{i}},{{(isBad ? "\"Bad\":\"way\"," : "")}}"@metadata":{"@collection":"Users"} }""");
        }

        database.Submit();
    }

    private static void Delete(IndexedDatabase database, int count)
    {
        database.Begin();
        for (int i = 0; i < count; i++)
        {
            database.Delete($"users/bad{i}");
        }

        database.Submit();
    }

    private static void Eventually(Func<bool> condition) =>
        Deadline.Until(condition);
}
