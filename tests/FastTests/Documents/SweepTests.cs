using System.Text;
using Raven.Documents;
using Raven.Documents.Settings;

namespace FastTests.Documents;

/// <summary>Documents expire and are refreshed when their time has come, and not before.</summary>
public sealed class SweepTests : IDisposable
{
    private readonly TestDatabase _database = new();

    public void Dispose() => _database.Dispose();

    [Fact]
    public async Task A_document_is_deleted_at_its_expiration_time()
    {
        await ConfigureAsync(SettingsStore.Expiration, """{"DeleteFrequencyInSec":10}""");
        PutDue("early", "@expires", 30);
        PutDue("late", "@expires", 90);
        _database.Put("never", "{}");
        await RingAsync(0);
        Assert.NotNull(_database.Read("early"));
        await RingAsync(31);
        Assert.Null(_database.Read("early"));
        Assert.NotNull(_database.Read("late"));
        await RingAsync(60);
        Assert.Null(_database.Read("late"));
        Assert.NotNull(_database.Read("never"));
    }

    /// <summary>Seconds by which the clock is set, some of them more than once.</summary>
    [Theory]
    [Trait("Fault", "D17")]
    [InlineData(-60)]
    [InlineData(-3600)]
    [InlineData(3600, -7200)]
    [InlineData(-3600, 3600)]
    [InlineData(86400 * 400, -86400 * 800)]
    public async Task Due_documents_expire_and_are_refreshed_within_the_frequency_after_the_clock_was_set(
        params int[] steps)
    {
        await ConfigureAsync(SettingsStore.Expiration, """{"DeleteFrequencyInSec":10}""");
        await ConfigureAsync(SettingsStore.Refresh, """{"RefreshFrequencyInSec":10}""");
        await RingAsync(0);
        foreach (int step in steps)
        {
            _database.Clock.Set(TimeSpan.FromSeconds(step));
            PutDue("expires", "@expires", 2);
            PutDue("later", "@expires", 7200);
            PutDue("refreshed", "@refresh", 2);
            await RingAsync(9);
            Assert.NotNull(_database.Read("expires"));
            await RingAsync(1);
            Assert.Null(_database.Read("expires"));
            Assert.NotNull(_database.Read("later"));
            Assert.DoesNotContain("@refresh", _database.Read("refreshed"), StringComparison.Ordinal);
        }
    }

    /// <summary>A time in a document is one of the clock: it comes once the clock shows it.</summary>
    [Fact]
    [Trait("Fault", "D17")]
    public async Task A_document_whose_time_is_in_the_future_after_the_clock_was_set_back_expires_at_that_time()
    {
        await ConfigureAsync(SettingsStore.Expiration, """{"DeleteFrequencyInSec":1}""");
        PutDue("a", "@expires", 2);
        await RingAsync(0);
        _database.Clock.Set(TimeSpan.FromSeconds(-60));
        await RingAsync(61);
        Assert.NotNull(_database.Read("a"));
        await RingAsync(1);
        Assert.Null(_database.Read("a"));
    }

    [Fact]
    [Trait("Invariant", "DUE-1")]
    public async Task The_last_version_of_a_document_decides_whether_and_when_it_expires()
    {
        await ConfigureAsync(SettingsStore.Expiration, """{"DeleteFrequencyInSec":1}""");
        PutDue("moved", "@expires", 30);
        PutDue("moved", "@expires", 300);
        PutDue("kept", "@expires", 30);
        _database.Put("kept", "{}");
        PutDue("again", "@expires", 30);
        _database.Delete("again");
        _database.Put("again", "{}");
        await RingAsync(60);
        Assert.NotNull(_database.Read("moved"));
        Assert.NotNull(_database.Read("kept"));
        Assert.NotNull(_database.Read("again"));
        await RingAsync(300);
        Assert.Null(_database.Read("moved"));
    }

    [Fact]
    public async Task A_refresh_removes_its_property_from_the_document_and_happens_once()
    {
        await ConfigureAsync(SettingsStore.Refresh, """{"RefreshFrequencyInSec":1}""");
        PutDue("a", "@refresh", 30);
        long before = EtagOf("a");
        await RingAsync(31);
        long after = EtagOf("a");
        Assert.True(after > before);
        Assert.DoesNotContain("@refresh", _database.Read("a"), StringComparison.Ordinal);
        Assert.Contains("Things", _database.Read("a"), StringComparison.Ordinal);
        await RingAsync(31);
        Assert.Equal(after, EtagOf("a"));
    }

    [Fact]
    public async Task Documents_do_not_expire_while_expiration_is_off_or_before_the_frequency_has_passed()
    {
        PutDue("a", "@expires", 1);
        await RingAsync(100);
        Assert.NotNull(_database.Read("a"));
        await ConfigureAsync(SettingsStore.Expiration, """{"Disabled":true}""");
        await RingAsync(100);
        Assert.NotNull(_database.Read("a"));
        await ConfigureAsync(SettingsStore.Expiration, """{"DeleteFrequencyInSec":60}""");
        await RingAsync(0);
        Assert.Null(_database.Read("a"));
        PutDue("b", "@expires", 1);
        await RingAsync(30);
        Assert.NotNull(_database.Read("b"));
        await RingAsync(30);
        Assert.Null(_database.Read("b"));
    }

    [Fact]
    public async Task All_due_documents_expire_and_are_reported_if_they_need_several_transactions()
    {
        await ConfigureAsync(SettingsStore.Expiration, """{"DeleteFrequencyInSec":1}""");
        for (int i = 0; i < 600; i++)
        {
            PutDue($"d/{i}", "@expires", 5);
        }

        await RingAsync(10);
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Assert.Equal(0, snapshot.DocumentCount);
        Assert.Equal(600, snapshot.TombstoneCount);
    }

    [Fact]
    public async Task Expiration_settings_and_due_times_are_kept_over_a_restart()
    {
        await ConfigureAsync(SettingsStore.Expiration, """{"DeleteFrequencyInSec":1}""");
        PutDue("a", "@expires", 5);
        _database.Restart();
        Assert.NotNull(_database.Read("a"));
        await RingAsync(10);
        Assert.Null(_database.Read("a"));
    }

    [Theory]
    [InlineData("""{"@metadata":{"@expires":"soon"}}""")]
    [InlineData("""{"@metadata":{"@expires":7}}""")]
    [InlineData("""{"@metadata":{"@refresh":{}}}""")]
    public void A_document_whose_expiration_or_refresh_is_no_time_is_refused(string json)
    {
        _database.StartBatch();
        Assert.False(_database.AddPut("a", json));
        Assert.Contains("@expires", _database.Batch.Failure.Describe(), StringComparison.Ordinal);
    }

    private async Task ConfigureAsync(string name, string json) =>
        await _database.Database.ConfigureAsync(name, Encoding.UTF8.GetBytes(json));

    private void PutDue(string id, string mark, int seconds)
    {
        string time = _database.Clock.Now.AddSeconds(seconds).UtcDateTime.ToString("O");
        _database.Put(id, $$$"""{"Name":"x","@metadata":{"@collection":"Things","{{{mark}}}":"{{{time}}}"}}""");
    }

    private long EtagOf(string id)
    {
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Assert.True(snapshot.TryGet(Encoding.UTF8.GetBytes(id), out StoredDocument document));
        return document.Etag;
    }

    private async Task RingAsync(int seconds)
    {
        _database.Clock.Now += TimeSpan.FromSeconds(seconds);
        await _database.Database.SweepAsync(_database.Clock.Now);
    }
}
