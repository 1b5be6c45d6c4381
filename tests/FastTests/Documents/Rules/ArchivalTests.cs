using System.Text;
using Raven.Documents;
using Raven.Documents.Rows;
using Raven.Documents.Settings;

namespace FastTests.Documents.Rules;

/// <summary>Documents are archived when their time has come, and revisions of deleted ones go.</summary>
public sealed class ArchivalTests : IDisposable
{
    private readonly TestDatabase _database = new();

    public void Dispose() => _database.Dispose();

    [Fact]
    [Trait("Invariant", "DUE-1")]
    public async Task A_document_is_archived_at_its_time_and_keeps_the_rest_of_its_metadata()
    {
        await ConfigureAsync(SettingsStore.DataArchival, """{"ArchiveFrequencyInSec":10}""");
        string due = At(30);
        _database.Put("a", $$"""
            {"N":1,"@metadata":{"@collection":"C","@archive-at":"{{due}}","X":[1],"@expires":"{{At(600)}}"} }
            """);
        _database.Put("moved", $$"""{"@metadata":{"@archive-at":"{{due}}"} }""");
        _database.Put("moved", $$"""{"@metadata":{"@archive-at":"{{At(300)}}"} }""");
        await RingAsync(29);
        Assert.DoesNotContain("@archived", _database.Read("a"), StringComparison.Ordinal);
        await RingAsync(11);
        string archived = _database.Read("a")!;
        Assert.Contains("\"@archived\":true", archived, StringComparison.Ordinal);
        Assert.DoesNotContain("@archive-at", archived, StringComparison.Ordinal);
        Assert.Contains("\"X\":[1]", archived, StringComparison.Ordinal);
        Assert.Contains("@expires", archived, StringComparison.Ordinal);
        Assert.DoesNotContain("@archived", _database.Read("moved"), StringComparison.Ordinal);
        await RingAsync(300);
        Assert.Contains("@archived", _database.Read("moved"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("\"soon\"")]
    [InlineData("1")]
    public void A_time_of_archival_that_is_none_is_refused(string value)
    {
        _database.StartBatch();
        Assert.False(_database.AddPut("a", $$"""{"@metadata":{"@archive-at":{{value}} } }"""));
        Assert.Contains("@archive-at", _database.Batch.Failure.Describe(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Revisions_of_documents_that_were_deleted_long_ago_go_and_others_stay()
    {
        await ConfigureAsync(SettingsStore.Revisions, """{"Default":{"Disabled":false}}""");
        await ConfigureAsync(
            SettingsStore.RevisionsBin, """{"MinimumEntriesAgeToKeepInMin":10,"RefreshFrequencyInSec":60}""");
        for (int i = 0; i < 200; i++)
        {
            _database.Put($"old/{i}", "{}");
            _database.Delete($"old/{i}");
        }

        _database.Put("many", "{}");
        for (int i = 0; i < 40; i++)
        {
            _database.Put("many", $$"""{"N":{{i}}}""");
        }

        _database.Delete("many");
        _database.Put("there", "{}");
        _database.Put("again", "{}");
        _database.Delete("again");
        _database.Put("again", "{}");
        await RingAsync(599);
        Assert.Equal(201, BinCount());
        _database.Put("young", "{}");
        _database.Delete("young");
        await RingAsync(62);
        Assert.Equal(1, BinCount());
        Assert.Equal(["again", "there", "young"], Kept());
        await RingAsync(700);
        Assert.Equal(0, BinCount());
        Assert.Equal(["again", "there"], Kept());
    }

    [Theory]
    [InlineData("""{"MinimumEntriesAgeToKeepInMin":10,"CleanerFrequencyInSec":60}""", 0)]
    [InlineData("""{"Disabled":false,"MinimumEntriesAgeToKeepInMin":null,"CleanerFrequencyInSec":60}""", 1)]
    public async Task The_frequency_has_a_second_name_and_without_an_age_revisions_stay(string json, int left)
    {
        await ConfigureAsync(SettingsStore.Revisions, """{"Default":{"Disabled":false}}""");
        await ConfigureAsync(SettingsStore.RevisionsBin, json);
        await RingAsync(1);
        _database.Put("a", "{}");
        _database.Delete("a");
        await RingAsync(598);
        Assert.Equal(1, BinCount());
        await RingAsync(62);
        Assert.Equal(left, BinCount());
    }

    private long BinCount()
    {
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        return snapshot.Transaction.TryOpenTree(RevisionSchema.Bin)!.Count;
    }

    private List<string> Kept()
    {
        List<string> ids = [];
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Raven.Storage.Trees.TreeCursor cursor = snapshot.Transaction.TryOpenTree(RevisionSchema.ByKey)!.GetCursor();
        for (bool more = cursor.SeekFirst(); more; more = cursor.MoveNext())
        {
            string id = Encoding.UTF8.GetString(cursor.Key[..^(sizeof(long) + 1)]);
            if (!ids.Contains(id))
            {
                ids.Add(id);
            }
        }

        return ids;
    }

    private string At(int seconds) => _database.Clock.GetUtcNow().AddSeconds(seconds).UtcDateTime.ToString("O");

    private async Task ConfigureAsync(string name, string json) =>
        await _database.Database.ConfigureAsync(name, Encoding.UTF8.GetBytes(json));

    private async Task RingAsync(int seconds)
    {
        _database.Clock.Now += TimeSpan.FromSeconds(seconds);
        await _database.Database.SweepAsync(_database.Clock.GetUtcNow());
    }
}
