using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using Raven.Client.Documents;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Session;

namespace FastTests.Client;

/// <summary>
/// A naming policy of the serializer holds wherever a property is named: in documents, conditions, orders, projections,
/// groups, patches, includes and the maps of indexes; the id and the metadata keep theirs.
/// </summary>
public sealed class NamingTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Fact]
    public async Task Documents_are_stored_with_the_names_of_the_naming_policy_and_read_back()
    {
        using DocumentStore store = await StoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        JsonObject raw = (await session.LoadAsync<JsonObject>("pieces/1"))!;
        Assert.Equal(
            ["SKU", "fullName", "maker", "ownerId", "parts", "weight"], raw.Select(pair => pair.Key));
        using IAsyncDocumentSession typed = store.OpenAsyncSession();
        Piece piece = (await typed.LoadAsync<Piece>("pieces/1"))!;
        Assert.Equal(("pieces/1", "cup", "S1"), (piece.Id, piece.FullName, piece.Sku));
        Assert.Equal("Pieces", typed.Advanced.GetMetadataFor(piece).GetString("@collection"));
        Assert.False(typed.Advanced.HasChanges);
        piece.Weight = 9;
        Assert.Equal("weight", typed.Advanced.WhatChanged()["pieces/1"].Single().FieldName);
    }

    [Fact]
    public async Task Queries_use_the_field_names_of_the_naming_policy()
    {
        using DocumentStore store = await StoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Expect(
            "from 'Pieces' where fullName = $p0 and maker.homeTown = $p1 order by weight as long, SKU",
            Pieces(session).Where(x => x.FullName == "cup" && x.Maker!.HomeTown == "oslo").OrderBy(x => x.Weight)
                .ThenBy(x => x.Sku));
        Expect("from 'Pieces' where parts[].partName = $p0", Pieces(session).Where(
            x => x.Parts.Any(part => part.PartName == "lid")));
        Expect("from 'Pieces' where id() = $p0", Pieces(session).Where(x => x.Id == "pieces/1"));
        Expect(
            "from 'Pieces' where weight > $p0 and SKU = $p1",
            session.Advanced.AsyncDocumentQuery<Piece>().WhereGreaterThan(x => x.Weight, 1)
                .WhereEquals(x => x.Sku, "S1"));
        Assert.Equal(["pieces/1"], await IdsAsync(Pieces(session).Where(x => x.Maker!.HomeTown == "oslo")));
        Assert.Equal(
            ["pieces/1", "pieces/2"], await IdsAsync(Pieces(session).Where(x => x.Weight > 1).OrderBy(x => x.Sku)));
        Assert.Equal(["pieces/2"], await IdsAsync(Pieces(session).Where(x => x.Parts.Any(it => it.PartName == "box"))));
    }

    [Fact]
    public async Task Projections_and_groups_are_read_back_by_the_naming_policy()
    {
        using DocumentStore store = await StoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var fields = await Pieces(session).OrderBy(x => x.Weight)
            .Select(x => new { x.FullName, Town = x.Maker!.HomeTown, Key = x.Id }).ToListAsync();
        Assert.Equal([("cup", "oslo", "pieces/1"), ("pot", "rome", "pieces/2")],
            fields.Select(x => (x.FullName, x.Town, x.Key)));
        var computed = await Pieces(session).OrderBy(x => x.Weight).Select(x => new
        {
            Loud = x.FullName.ToUpper(), Heavy = x.Weight * 2, Owner = RavenQuery.Load<Owner>(x.OwnerId).LastName,
            Names = x.Parts.Select(part => part.PartName).ToList(),
        }).ToListAsync();
        Assert.Equal(
            [("CUP", 4, "Lee", "lid"), ("POT", 6, "Lee", "box")],
            computed.Select(x => (x.Loud, x.Heavy, x.Owner, x.Names.Single())));
        var groups = await Pieces(session).GroupBy(x => x.OwnerId)
            .Select(all => new { Owner = all.Key, PieceCount = all.Count(), Sum = all.Sum(x => x.Weight) })
            .ToListAsync();
        Assert.Equal(("owners/1", 2, 5), groups.Select(x => (x.Owner, x.PieceCount, x.Sum)).Single());
        IQueryable<PieceName> projected = Pieces(session).OrderBy(x => x.Weight).ProjectInto<PieceName>();
        Expect("from 'Pieces' order by weight as long select fullName as 'fullName', id() as 'id'", projected);
        List<PieceName> into = await projected.ToListAsync();
        Assert.Equal(["pieces/1 cup", "pieces/2 pot"], into.Select(x => $"{x.Id} {x.FullName}"));
        List<PieceName> selected = await session.Advanced.AsyncDocumentQuery<Piece>().OrderBy(x => x.Weight)
            .SelectFields<PieceName>().ToListAsync();
        Assert.Equal(["cup", "pot"], selected.Select(x => x.FullName));
        Dictionary<string, FacetResult> facets = await Pieces(session)
            .AggregateBy(facet => facet.ByField(x => x.FullName)
                .WithOptions(new FacetOptions { TermSortMode = FacetTermSortMode.ValueDesc, PageSize = 1 }))
            .ExecuteAsync();
        Assert.Equal("pot", facets["fullName"].Values.Single().Range);
    }

    [Fact]
    public async Task Patches_and_includes_use_the_property_names_of_the_naming_policy()
    {
        using DocumentStore store = await StoreAsync();
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            session.Advanced.Patch<Piece, string>("pieces/1", x => x.Maker!.HomeTown, "bonn");
            session.Advanced.Increment<Piece, int>("pieces/1", x => x.Weight, 5);
            session.Advanced.Patch<Piece, Part>(
                "pieces/1", x => x.Parts, parts => parts.Add(new Part { PartName = "ear" }));
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession next = store.OpenAsyncSession();
        Piece piece = (await next.Include<Piece>(x => x.OwnerId).LoadAsync("pieces/1"))!;
        Assert.Equal(
            ("bonn", 7, "lid ear"),
            (piece.Maker!.HomeTown, piece.Weight, string.Join(' ', piece.Parts.Select(part => part.PartName))));
        Assert.Equal("Lee", (await next.LoadAsync<Owner>(piece.OwnerId!))!.LastName);
        Assert.Equal(1, next.Advanced.NumberOfRequests);
        List<Piece> found = await Pieces(next).Include(x => x.OwnerId).ToListAsync();
        Assert.Equal(2, found.Count);
    }

    [Fact]
    public async Task Property_names_with_dashes_work_in_conditions_projections_and_patches()
    {
        using DocumentStore store = await StoreAsync(JsonNamingPolicy.KebabCaseLower);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var made = await Pieces(session).Where(x => x.FullName == "cup" && x.Maker!.HomeTown == "oslo").Select(x => new
        {
            LoudName = x.FullName.ToUpper(), Town = x.Maker!.HomeTown,
            Owner = RavenQuery.Load<Owner>(x.OwnerId).LastName,
            Names = x.Parts.Select(part => part.PartName).ToList(),
        }).ToListAsync();
        Assert.Equal(
            [("CUP", "oslo", "Lee", "lid")], made.Select(x => (x.LoudName, x.Town, x.Owner, x.Names.Single())));
        session.Advanced.Patch<Piece, string>("pieces/1", x => x.Maker!.HomeTown, "bonn");
        session.Advanced.Patch<Piece, string>("pieces/1", x => x.Parts[0].PartName, "top");
        session.Advanced.Increment<Piece, string>("pieces/1", x => x.FullName, "s");
        await session.SaveChangesAsync();
        Piece piece = (await store.OpenAsyncSession().LoadAsync<Piece>("pieces/1"))!;
        Assert.Equal(("cups", "bonn", "top"), (piece.FullName, piece.Maker!.HomeTown, piece.Parts.Single().PartName));
        Assert.Throws<NotSupportedException>(
            () => session.Advanced.Patch<Piece, Piece>("pieces/1", x => x, new Piece()));
    }

    [Theory]
    [InlineData(false, "ownerId")]
    [InlineData(true, "owner-id")]
    public async Task Index_classes_use_the_names_of_the_naming_policy(bool isKebab, string owner)
    {
        using DocumentStore store = await StoreAsync(isKebab ? JsonNamingPolicy.KebabCaseLower : null);
        await new Pieces_ByOwner().ExecuteAsync(store);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        List<OwnerTotal> totals = await session.Query<OwnerTotal, Pieces_ByOwner>()
            .Customize(how => how.WaitForNonStaleResults()).Where(x => x.TotalWeight > 1).ToListAsync();
        Assert.Equal("owners/1 5", $"{totals.Single().OwnerId} {totals.Single().TotalWeight}");
        var index = new Pieces_ByOwner { Conventions = store.Conventions };
        Assert.Equal(owner, index.CreateIndexDefinition().Fields.Single().Key);
    }

    private static void Expect(string rql, object query) => Assert.Equal(rql, query.ToString());

    private static IRavenQueryable<Piece> Pieces(IAsyncDocumentSession session) => session.Query<Piece>();

    private static async Task<IEnumerable<string?>> IdsAsync(IQueryable<Piece> query) =>
        (await query.ToListAsync()).Select(piece => piece.Id);

    private async Task<DocumentStore> StoreAsync(JsonNamingPolicy? policy = null)
    {
        DocumentStore store = fixture.NewStore(made => made.Conventions.CustomizeSerializer = options =>
            options.PropertyNamingPolicy = policy ?? JsonNamingPolicy.CamelCase);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new Owner { LastName = "Lee" }, "owners/1");
        await session.StoreAsync(
            new Piece
            {
                FullName = "cup", OwnerId = "owners/1", Weight = 2, Sku = "S1", Parts = [new() { PartName = "lid" }],
                Maker = new Maker { HomeTown = "oslo" },
            },
            "pieces/1");
        await session.StoreAsync(
            new Piece
            {
                FullName = "pot", OwnerId = "owners/1", Weight = 3, Sku = "S2", Parts = [new() { PartName = "box" }],
                Maker = new Maker { HomeTown = "rome" },
            },
            "pieces/2");
        session.Advanced.WaitForIndexesAfterSaveChanges();
        await session.SaveChangesAsync();
        return store;
    }

    private sealed class Piece
    {
        public string? Id { get; set; }

        public string FullName { get; set; } = "";

        public string? OwnerId { get; set; }

        public int Weight { get; set; }

        [JsonPropertyName("SKU")]
        public string Sku { get; set; } = "";

        public List<Part> Parts { get; set; } = [];

        public Maker? Maker { get; set; }
    }

    private sealed class Part
    {
        public string PartName { get; set; } = "";
    }

    private sealed class Maker
    {
        public string HomeTown { get; set; } = "";
    }

    private sealed class Owner
    {
        public string? Id { get; set; }

        public string LastName { get; set; } = "";
    }

    private sealed class PieceName
    {
        public string? Id { get; set; }

        public string FullName { get; set; } = "";
    }

    private sealed class OwnerTotal
    {
        public string OwnerId { get; set; } = "";

        public int TotalWeight { get; set; }
    }

    private sealed class Pieces_ByOwner : AbstractIndexCreationTask<Piece, OwnerTotal>
    {
        public Pieces_ByOwner()
        {
            Map = pieces => from piece in pieces
                            let weight = piece.Weight
                            select new OwnerTotal { OwnerId = piece.OwnerId!, TotalWeight = weight };
            Reduce = totals => from total in totals
                               group total by total.OwnerId into owner
                               select new OwnerTotal
                               {
                                   OwnerId = owner.Key, TotalWeight = owner.Sum(it => it.TotalWeight),
                               };
            Index(x => x.OwnerId, FieldIndexing.Exact);
        }
    }
}
