using FastTests.Support;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;

namespace FastTests.Queries;

/// <summary>Indexes that queries make, and that one takes the place of another.</summary>
public sealed class AutoIndexTests
{
    private const string ByAge = "from Users where Age > 5";

    [Fact]
    public void An_automatic_index_without_queries_becomes_idle_and_is_deleted_later()
    {
        IndexClock clock = new();
        using IndexedDatabase database = new(clock: clock);
        Write(database, 10);
        DatabaseIndex index = Ask(database, ByAge);
        Tick(database, clock, TimeSpan.FromMinutes(29));
        Assert.Equal(IndexState.Normal, index.State);
        Tick(database, clock, TimeSpan.FromMinutes(2));
        Assert.Equal(IndexState.Idle, index.State);
        Assert.Same(index, Ask(database, ByAge));
        Assert.Equal(IndexState.Normal, index.State);

        Tick(database, clock, TimeSpan.FromHours(71));
        Assert.Equal(IndexState.Idle, index.State);
        Assert.Same(index, database.Database.Indexes.Find(index.Name));
        Tick(database, clock, TimeSpan.FromHours(2));
        Eventually(() => database.Database.Indexes.Find(index.Name) is null);
        Eventually(() => database.Folders.List().Count == 0);
        Assert.NotSame(index, Ask(database, ByAge));
    }

    [Fact]
    [Trait("Invariant", "USE-1")]
    public void The_idle_time_of_an_automatic_index_counts_from_its_last_query_over_restarts()
    {
        IndexClock clock = new();
        using IndexedDatabase database = new(clock: clock);
        Write(database, 10);
        DatabaseIndex index = Ask(database, ByAge);
        DateTimeOffset asked = clock.GetUtcNow();
        Tick(database, clock, TimeSpan.FromHours(40));
        database.Restart();
        index = database.Database.Indexes.Find(index.Name)!;
        Tick(database, clock, TimeSpan.FromSeconds(2));
        Assert.Equal(asked, index.Use.LastTime);
        Assert.Equal(IndexState.Idle, index.State);

        Tick(database, clock, TimeSpan.FromHours(31));
        Assert.Same(index, database.Database.Indexes.Find(index.Name));
        database.Restart();
        Assert.NotNull(database.Database.Indexes.Find(index.Name));
        Tick(database, clock, TimeSpan.FromHours(2));
        Eventually(() => database.Database.Indexes.Find(index.Name) is null);
    }

    /// <summary>Days by which the clock is set.</summary>
    [Theory]
    [Trait("Fault", "D17")]
    [InlineData(-100)]
    [InlineData(100)]
    [Trait("Invariant", "USE-2")]
    public void The_idle_time_of_an_automatic_index_does_not_change_when_the_clock_is_set(int step)
    {
        IndexClock clock = new();
        using IndexedDatabase database = new(clock: clock);
        Write(database, 10);
        DatabaseIndex index = Ask(database, ByAge);
        clock.Set(TimeSpan.FromDays(step));
        Tick(database, clock, TimeSpan.FromSeconds(2));
        Assert.Same(index, database.Database.Indexes.Find(index.Name));
        Assert.Equal(IndexState.Normal, index.State);
        Assert.Same(index, Ask(database, ByAge));
        Eventually(() => Kept(database, index, clock) == clock.GetUtcNow());
        Tick(database, clock, TimeSpan.FromHours(40));
        Assert.Equal(IndexState.Idle, index.State);
        Tick(database, clock, TimeSpan.FromHours(40));
        Eventually(() => database.Database.Indexes.Find(index.Name) is null);
    }

    [Fact]
    [Trait("Invariant", "USE-1")]
    public void The_time_of_the_last_query_is_stored_at_most_once_a_minute_while_an_index_is_queried()
    {
        IndexClock clock = new();
        using IndexedDatabase database = new(clock: clock);
        Write(database, 10);
        DatabaseIndex index = Ask(database, ByAge);
        DateTimeOffset first = clock.GetUtcNow();
        Eventually(() => Kept(database, index, clock) == first);
        clock.Advance(TimeSpan.FromSeconds(59));
        Ask(database, ByAge);
        Assert.Equal(first, Kept(database, index, clock));
        clock.Advance(TimeSpan.FromSeconds(1));
        Ask(database, ByAge);
        DateTimeOffset second = clock.GetUtcNow();
        Eventually(() => Kept(database, index, clock) == second);
    }

    [Fact]
    public void A_static_index_is_never_idle_and_never_deleted_for_lack_of_queries()
    {
        IndexClock clock = new();
        using IndexedDatabase database = new(clock: clock);
        Write(database, 3);
        DatabaseIndex index = Put(database, "map('Users', u => ({ Age: u.Age }))");
        Tick(database, clock, TimeSpan.FromDays(100));
        Assert.Same(index, database.Database.Indexes.Find("Mine"));
        Assert.Equal(IndexState.Normal, index.State);
    }

    [Fact]
    [Trait("Invariant", "AUTO-2")]
    public void An_automatic_index_is_deleted_when_a_wider_one_with_all_of_its_fields_has_caught_up()
    {
        IndexClock clock = new();
        using IndexedDatabase database = new(clock: clock);
        Write(database, 10);
        DatabaseIndex narrow = Ask(database, ByAge);
        DatabaseIndex other = Ask(database, "from Orders where Age > 5");
        DatabaseIndex wide = Ask(database, "from Users where Name = 'x'");
        Assert.Equal(["Age", "Name"], wide.Definition.AutoFields.Select(field => field.Path).Order());
        Tick(database, clock, TimeSpan.FromSeconds(2));
        Eventually(() => database.Database.Indexes.Find(narrow.Name) is null);
        Assert.Same(wide, Ask(database, ByAge));
        Assert.Same(wide, Ask(database, "from Users where Age > 1 and Name != 'y'"));
        Assert.Same(other, database.Database.Indexes.Find(other.Name));
    }

    [Fact]
    [Trait("Invariant", "AUTO-1")]
    public void The_index_with_the_fewest_fields_answers_of_those_that_have_all_fields_of_a_query()
    {
        using IndexedDatabase database = new(clock: new IndexClock());
        Write(database, 10);
        DatabaseIndex narrow = Ask(database, ByAge);
        DatabaseIndex wide = Ask(database, "from Users where Age > 5 and Name = 'x'");
        Assert.NotSame(narrow, wide);
        Assert.Same(narrow, Ask(database, ByAge));
        Assert.Same(wide, Ask(database, "from Users where Name = 'x'"));
        Assert.NotSame(narrow, Ask(database, "from Orders where Age > 5"));
    }

    [Fact]
    [Trait("Invariant", "SINK-1")]
    public void A_document_that_is_written_again_under_its_id_in_another_case_leaves_no_entry_of_its_former_version()
    {
        using IndexedDatabase database = new();
        Put("USERS/1", 6);
        Assert.Equal(["USERS/1"], database.Ask(ByAge).Ids);
        Put("users/1", 5);
        Assert.Empty(database.Ask(ByAge).Ids);
        Assert.Equal(["users/1"], database.Ask("from Users where Age = 5").Ids);

        void Put(string id, int age)
        {
            database.Begin();
            database.Put(id, $$"""{"Age":{{age}},"@metadata":{"@collection":"Users"} }""");
            database.Submit();
        }
    }

    [Fact]
    [Trait("Fault", "D14")]
    public void Automatic_indexes_are_deleted_for_a_wider_one_with_any_number_of_fields()
    {
        IndexClock clock = new();
        using IndexedDatabase database = new(clock: clock);
        Write(database, 3);
        const int count = 70;
        string Any(int first, int fields) => "from Users where " +
            string.Join(" or ", Enumerable.Range(first, fields).Select(i => $"F{i} = 1"));

        // Together they are more than an index takes that is made of others.
        Ask(database, "from Users where F3 = 1");
        Ask(database, Any(0, 40));
        Ask(database, Any(40, count - 40));
        Tick(database, clock, TimeSpan.FromSeconds(2));
        Eventually(() => database.Database.Indexes.All.Count == 2);
        DatabaseIndex all = Ask(database, Any(0, count));
        Assert.Equal(count, all.Definition.AutoFields.Count);
        Tick(database, clock, TimeSpan.FromSeconds(2));
        Eventually(() => database.Database.Indexes.All.Count == 1);
        Assert.Same(all, Ask(database, "from Users where F3 = 1"));
    }

    [Theory]
    [InlineData("A.B", "A_B")]
    [InlineData("A_B", "A.B")]
    [InlineData("Name", "name")]
    [InlineData("Tags", "Tags[]")]
    [Trait("Invariant", "AUTO-3")]
    public void Fields_whose_names_make_the_same_index_name_have_indexes_of_their_own(string first, string second)
    {
        using IndexedDatabase database = new();
        database.Begin();
        database.Put("u/1", """
            {"A":{"B":"nested"},"A_B":"flat","Name":"upper","name":"lower","Tags":["x","y"],
            "@metadata":{"@collection":"Users"} }
            """);
        database.Submit();
        foreach (string key in new[] { first, second })
        {
            string[] expected = key switch
            {
                "A.B" => ["nested"],
                "A_B" => ["flat"],
                "Name" => ["upper"],
                "name" => ["lower"],
                "Tags" => ["x"],
                _ => ["x", "y"],
            };
            List<string> groups = database.AskStored($"from Users group by {key} select {key}");
            Assert.All(expected, value => Assert.Contains(groups, group => group.Contains($"\"{value}\"")));
            Assert.Equal(expected.Length, groups.Count);
        }

        // What both ask at a time that there is no index yet.
        IndexDefinition one = Auto(first);
        IndexDefinition other = Auto(second);
        Assert.Equal(one.Name, other.Name, ignoreCase: true);
        Assert.Equal(first, Add(database, one).Definition.AutoFields[0].Path);
        Assert.Equal(second, Add(database, other).Definition.AutoFields[0].Path);
        Assert.Equal(second, Add(database, other).Definition.AutoFields[0].Path);
        Assert.Equal(4, database.Database.Indexes.All.Count);
    }

    [Fact]
    [Trait("Invariant", "IDXC-2")]
    public async Task Queries_are_answered_whole_while_a_changed_definition_replaces_the_old_one()
    {
        const int count = 200;
        using IndexedDatabase database = new();
        Write(database, count);
        Put(database, "map('Users', u => ({ Age: u.Age, V0: 1 }))");
        Assert.Equal(count, database.Ask("from index 'Mine' where Age >= 0").Ids.Count);
        using CancellationTokenSource over = new();
        int asked = 0;
        Task[] asking = [.. Enumerable.Range(0, 2).Select(asker => Task.Run(async () =>
        {
            Random pace = new(asker);
            while (!over.IsCancellationRequested)
            {
                await Deadline.ShakeAsync(pace, 10);
                Assert.InRange(database.Ask("from index 'Mine' where Age >= 0").Ids.Count, count, count + 3);
                Interlocked.Increment(ref asked);
            }
        }))];
        for (int version = 1; version <= 3; version++)
        {
            int before = Volatile.Read(ref asked);
            Put(database, $"map('Users', u => ({{ Age: u.Age, V{version}: 1 }}))");
            Write(database, count + version);
            Eventually(() => database.Database.Indexes.Find("Mine")!.Definition.Maps[0].Contains($"V{version}"));
            Assert.Equal(count + version, database.Ask($"from index 'Mine' where V{version} = 1").Ids.Count);
            Eventually(() => Volatile.Read(ref asked) > before);
        }

        await over.CancelAsync();
        await Task.WhenAll(asking);
        Assert.Single(database.Database.Indexes.All);
        Eventually(() => database.Folders.List().Count == 1);
    }

    [Theory]
    [InlineData("LockedIgnore")]
    [InlineData("LockedError")]
    public void A_locked_index_keeps_its_definition_until_it_is_unlocked(string lockMode)
    {
        IndexLockMode mode = Enum.Parse<IndexLockMode>(lockMode);
        const string first = "map('Users', u => ({ Age: u.Age }))";
        const string second = "map('Users', u => ({ Age: u.Age, Name: u.Name }))";
        using IndexedDatabase database = new();
        Write(database, 5);
        DatabaseIndex index = Put(database, first);
        Lock(database, mode);
        if (mode == IndexLockMode.LockedError)
        {
            Assert.IsType<IndexLockedException>(
                Assert.Throws<AggregateException>(() => Put(database, second)).InnerException);
        }
        else
        {
            Assert.Same(index, Put(database, second));
        }

        Assert.Equal(first, Assert.Single(database.Database.Indexes.All).Definition.Maps[0]);
        Lock(database, IndexLockMode.Unlock);
        Put(database, second);
        Eventually(() => database.Database.Indexes.Find("Mine")!.Definition.Maps[0] == second);
    }

    [Fact]
    public void Waiting_indexes_of_a_higher_priority_run_first()
    {
        using IndexedDatabase database = new(new IndexingOptions { ThreadsMax = 1, BatchDocumentsMax = 50 });
        string[] names = ["Low", "Normal", "High"];
        foreach (string name in names)
        {
            Put(database, new IndexDefinition
            {
                Name = name, Maps = ["map('Users', u => ({ Age: u.Age }))"], Priority = Enum.Parse<IndexPriority>(name),
            }).IsPaused = true;
        }

        Write(database, 400);

        // The only thread stands before the first of them while the others queue up behind it, the highest last.
        using (new IndexBlocker(database.Database.Indexes.Find("Low")!))
        {
            foreach (string name in names)
            {
                database.Database.Indexes.Find(name)!.IsPaused = false;
            }
        }

        Eventually(() => names.All(name => database.Database.Indexes.Find(name)!.CoveredEtag == 400));
        DateTimeOffset Last(string name) => database.Database.Indexes.Find(name)!.Statistics.LastIndexingTime!.Value;
        Assert.True(Last("High") < Last("Normal"), "high before normal");
        Assert.True(Last("Normal") < Last("Low"), "normal before low");
    }

    /// <summary>What a process would find that comes after a crash behind the next tick.</summary>
    private static DateTimeOffset? Kept(IndexedDatabase database, DatabaseIndex index, IndexClock clock)
    {
        database.Database.Indexes.Tick();
        IndexUse other = new(clock);
        other.Load(index.OpenedStorage!.Search);
        return other.LastTime;
    }

    [Fact]
    [Trait("Invariant", "QRY-3")]
    public async Task A_query_waits_again_if_its_index_was_reset_between_its_wait_and_its_read()
    {
        const string Query = "from Users where Age >= 10";
        int reads = 0;
        Action reset = () => { };
        using IndexedDatabase database = new(new IndexingOptions
        {
            // Nothing is indexed but by this thread, in CatchUp.
            ThreadsMax = -1,
            BetweenWaitAndRead = () =>
            {
                reset();
                Interlocked.Increment(ref reads);
            },
        });
        Write(database, 30);
        DatabaseIndex index = database.MakeIndexFor(Query);
        database.CatchUp();
        reset = () =>
        {
            reset = () => { };
            Assert.True(database.Database.Indexes.Changes.ResetAsync(index.Name).AsTask().Result);
        };
        Task<int> asked = Task.Run(() => database.Ask(Query).Ids.Count);
        Eventually(() => Volatile.Read(ref reads) == 1);
        await Task.WhenAny(asked, Deadline.GraceAsync());
        Assert.False(asked.IsCompleted, "It did not wait again.");
        database.CatchUp();
        Assert.Equal(20, await asked);
        Assert.Equal(2, reads);
    }

    private static DatabaseIndex Ask(IndexedDatabase database, string text) =>
        database.Database.Indexes.Find(database.Ask(text).Index)!;

    private static IndexDefinition Auto(string path)
    {
        AutoField[] fields = [new AutoField(path, false, false)];
        string name = AutoIndexes.NameOf("Users", fields);
        return new IndexDefinition
        {
            Name = name, Maps = [name], Type = IndexType.AutoMap, AutoCollection = "Users", AutoFields = fields,
        };
    }

    private static DatabaseIndex Add(IndexedDatabase database, IndexDefinition definition) =>
        database.Database.Indexes.Changes.AddAutoAsync(definition).AsTask().Result;

    private static DatabaseIndex Put(IndexedDatabase database, string map) =>
        Put(database, new IndexDefinition { Name = "Mine", Maps = [map] });

    private static DatabaseIndex Put(IndexedDatabase database, IndexDefinition definition) =>
        database.Database.Indexes.Changes.PutAsync(definition).AsTask().Result;

    private static void Lock(IndexedDatabase database, IndexLockMode mode) =>
        Assert.True(database.Database.Indexes.Changes.UpdateAsync(
            "Mine", one => one with { LockMode = mode }).AsTask().Result);

    private static void Tick(IndexedDatabase database, IndexClock clock, TimeSpan time)
    {
        clock.Advance(time);
        database.Database.Indexes.Tick();
    }

    private static void Write(IndexedDatabase database, int count)
    {
        database.Begin();
        for (int i = 0; i < count; i++)
        {
            database.Put($"users/{i}", $$"""{"Age":{{i}},"Name":"x","@metadata":{"@collection":"Users"} }""");
        }

        database.Submit();
    }

    private static void Eventually(Func<bool> condition) =>
        Deadline.Until(condition);
}
