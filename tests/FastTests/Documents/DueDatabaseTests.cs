using System.Text;
using FastTests.Support;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Documents.Commands;
using Raven.Documents.CompareExchange;
using Raven.Documents.Settings;
using Shared.Storage;

namespace FastTests.Documents;

/// <summary>A closed database is opened when something in it is due, and only then.</summary>
public sealed class DueDatabaseTests : IDisposable
{
    private readonly TestClock _clock = new();
    private TestFiles _files = new();
    private DatabaseCatalog _catalog;

    public DueDatabaseTests() => _catalog = Open(_files);

    public void Dispose()
    {
        _catalog.Dispose();
        _files.Dispose();
    }

    [Fact]
    public async Task A_closed_database_is_opened_when_a_document_in_it_expires()
    {
        await ExpireInTwoHoursAsync("a");
        await CloseIdleAsync("a");
        _clock.Ring(TimeSpan.FromMinutes(50));
        Assert.False(Find("a").IsOpen);
        await RingUntilGoneAsync("a");
    }

    [Fact]
    public async Task A_closed_database_is_opened_after_a_restart_when_a_document_in_it_expires()
    {
        await ExpireInTwoHoursAsync("a");
        Put("plain", "x", "{}");
        Restart();
        _clock.Ring(TimeSpan.FromMinutes(50));
        Assert.False(Find("a").IsOpen);
        await RingUntilGoneAsync("a");
        Assert.False(Find("plain").IsOpen);
    }

    [Fact]
    public async Task A_database_with_unknown_due_times_after_a_crash_is_opened_once()
    {
        await ExpireInTwoHoursAsync("a");
        await CloseIdleAsync("a");
        Put("a", "soon", Due(60));
        Crash();
        _clock.Ring(TimeSpan.FromSeconds(1));
        await Deadline.UntilAsync(() => Find("a").IsOpen);
        await RingUntilGoneAsync("a");
    }

    [Fact]
    public async Task Compare_exchange_values_expire_without_a_setting_and_a_closed_database_is_opened_for_them()
    {
        PutValue("a", "short", 60 * 60 * 2);
        PutValue("a", "long", 60 * 60 * 24 * 100);
        PutValue("a", "moved", 60);
        PutValue("a", "moved", 60 * 60 * 24 * 100);
        Restart();
        await RingUntilGoneAsync("a", () => !HasValue("a", "short"));
        Assert.True(HasValue("a", "long"));
        Assert.True(HasValue("a", "moved"));

        // Readers of the values learn that it is gone.
        using DocumentSnapshot snapshot = Find("a").BeginRead();
        Assert.Equal(1, snapshot.CompareExchangeTombstoneCount);
        Assert.Equal(snapshot.LastEtag, snapshot.LastCompareExchangeIndex);
    }

    [Fact]
    public async Task A_compare_exchange_value_expires_though_a_crash_came_right_after_its_write()
    {
        Put("a", "x", "{}");
        PutValue("a", "first", 60 * 60);
        Crash();
        await RingUntilGoneAsync("a", () => !HasValue("a", "first"));
    }

    [Fact]
    public async Task A_database_with_nothing_due_stays_closed_though_expiration_is_configured()
    {
        Put("a", "x", "{}");
        await Find("a").ConfigureAsync(SettingsStore.Expiration, """{"DeleteFrequencyInSec":1}"""u8.ToArray());
        await CloseIdleAsync("a");
        for (int i = 0; i < 10; i++)
        {
            _clock.Ring(TimeSpan.FromHours(9));
        }

        await Deadline.GraceAsync();
        Assert.False(Find("a").IsOpen);
        Put("a", "y", Due(3600));
        await CloseIdleAsync("a");
        await RingUntilGoneAsync("a", () => !Has("a", "y"));
    }

    [Theory]
    [Trait("Fault", "D17")]
    [InlineData(-3600)]
    [InlineData(3600)]
    public async Task A_closed_database_is_opened_for_values_that_expire_after_the_clock_was_set(int step)
    {
        PutValue("a", "before", 60 * 60 * 24);
        _clock.Set(TimeSpan.FromSeconds(step));
        PutValue("a", "short", 60 * 60);
        await CloseIdleAsync("a");
        _clock.Set(TimeSpan.FromSeconds(-step));
        _clock.Set(TimeSpan.FromSeconds(step));
        await RingUntilGoneAsync("a", () => !HasValue("a", "short"));
        Assert.True(HasValue("a", "before"));
    }

    [Theory]
    [Trait("Fault", "D17")]
    [InlineData(-3600)]
    [InlineData(0)]
    [InlineData(3600)]
    public void A_due_database_that_could_not_be_opened_is_tried_again_after_a_minute_though_the_clock_was_set(
        int step)
    {
        var due = new ReopenSchedule(new DatabaseOptions
        {
            Name = "a", Clock = _clock, NextDueTicks = 1, Storage = () => throw new InvalidOperationException(),
            NewDatabaseId = Guid.Empty, Random = new Random(1),
        });
        Assert.True(due.IsDue(_clock.Now));
        due.BeginOpening();
        _clock.Set(TimeSpan.FromSeconds(step));
        _clock.Now += TimeSpan.FromSeconds(59);
        Assert.False(due.IsDue(_clock.Now));
        _clock.Now += TimeSpan.FromSeconds(1);
        Assert.True(due.IsDue(_clock.Now));
    }

    [Fact]
    public async Task An_idle_database_is_closed_even_if_the_catalog_cannot_be_written()
    {
        FailingFileSystem? failing = null;
        _files.Catalog = files => failing = new FailingFileSystem(files);
        Restart();
        await ExpireInTwoHoursAsync("a");
        failing!.Fails = true;
        Assert.ThrowsAny<IOException>(() => _catalog.TryCreate("b", "{}"u8, out _));
        await CloseIdleAsync("a");
        Assert.True(Has("a", "x"));
        await CloseIdleAsync("a");
        failing.Fails = false;
        Restart();
        await RingUntilGoneAsync("a");
    }

    private string Due(int seconds) =>
        $"{{\"@metadata\":{{\"@expires\":\"{_clock.Now.UtcDateTime.AddSeconds(seconds):O}\"}}}}";

    private async Task ExpireInTwoHoursAsync(string name)
    {
        Put(name, "x", Due(2 * 60 * 60));
        await Find(name).ConfigureAsync(SettingsStore.Expiration, """{"DeleteFrequencyInSec":1}"""u8.ToArray());
    }

    /// <summary>The timer that looks for idle ones closes what was not used since it rang before.</summary>
    private async Task CloseIdleAsync(string name)
    {
        await Deadline.UntilAsync(() =>
        {
            _clock.Ring(TimeSpan.FromSeconds(1));
            return !Find(name).IsOpen;
        });
    }

    private Task RingUntilGoneAsync(string name, Func<bool>? isGone = null)
    {
        _clock.Now += TimeSpan.FromHours(3);
        return Deadline.UntilAsync(() =>
        {
            _clock.Ring(TimeSpan.FromMinutes(2));

            // To look would open it: it must have been opened by itself.
            return Find(name).IsOpen && (isGone is null ? !Has(name, "x") : isGone());
        });
    }

    private void Restart()
    {
        _catalog.Dispose();
        _catalog = Open(_files);
    }

    private void Crash()
    {
        TestFiles after = _files.Copy();
        _catalog.Dispose();
        _files.Dispose();
        _files = after;
        _catalog = Open(_files);
    }

    private DatabaseCatalog Open(TestFiles files) => DatabaseCatalog.Open(new CatalogOptions
    {
        Folders = files,
        Clock = _clock,
        Random = new Random(42),
        Loggers = NullLoggerFactory.Instance,
    });

    private Database Find(string name)
    {
        if (!_catalog.TryGet(name, out Database? database))
        {
            Assert.Equal(CreateDatabaseStatus.Created, _catalog.TryCreate(name, "{}"u8, out database));
        }

        return database!;
    }

    private void Put(string name, string id, string json) => Submit(name, (context, batch) => batch.TryAddPut(
        Encoding.UTF8.GetBytes(id), Parse(context, json), ExpectedVersion.Any));

    private void PutValue(string name, string key, int seconds) => Submit(name, (context, batch) =>
    {
        string json = $"{{\"Object\":1,{Due(seconds)[1..]}";
        var part = new CompareExchangeAction(isPut: true, null, Parse(context, json).Memory, true, context.Arena);
        return batch.TryAddAction(Encoding.UTF8.GetBytes(key), part, ExpectedVersion.Any);
    });

    private void Submit(string name, Func<OperationContext, BatchCommand, bool> add)
    {
        using OperationContext context = new();
        BatchCommand batch = new(hashSeed: 1);
        batch.Reset(context);
        Assert.True(add(context, batch));
        Find(name).SubmitAsync(batch).AsTask().GetAwaiter().GetResult();
        Assert.True(batch.Failure.IsNone, batch.Failure.Describe());
    }

    private static BlittableObject Parse(OperationContext context, string json)
    {
        Assert.True(context.Parser.TryParse(
            Encoding.UTF8.GetBytes(json), BlittableMode.ToDisk, out BlittableObject document, out _), json);
        return document;
    }

    private bool Has(string name, string id)
    {
        using DocumentSnapshot snapshot = Find(name).BeginRead();
        return snapshot.TryGet(Encoding.UTF8.GetBytes(id), out _);
    }

    private bool HasValue(string name, string key)
    {
        using DocumentSnapshot snapshot = Find(name).BeginRead();
        return snapshot.TryGetCompareExchange(Encoding.UTF8.GetBytes(key), out _);
    }
}
