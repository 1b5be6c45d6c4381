using FastTests.Support;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;

namespace FastTests.Blittable;

public sealed class BlittableModifierTests : IDisposable
{
    private const string Stored =
        """{"Name":"Oren","Age":34,"@metadata":{"@collection":"Users","@id":"users/1"},"Tags":[1]}""";
    private readonly OperationContext _context = new();

    public void Dispose() => _context.Dispose();

    [Fact]
    public void Properties_are_set_in_their_place_or_added_last()
    {
        BlittableModifier modifier = Start(Stored).Set("Age"u8, 35).Set("New"u8, "x\ny"u8).Set("Flag"u8, true);
        string expected = Stored.Replace("34", "35", StringComparison.Ordinal)[..^1] + ""","New":"x\ny","Flag":true}""";
        Check(expected, modifier);
    }

    [Fact]
    public void Removed_properties_are_left_out_at_any_depth() => Check(
        """{"Age":34,"@metadata":{"@collection":"Users"},"Tags":[1]}""",
        Start(Stored).Remove("Name"u8).Remove("None"u8)
            .Enter("@metadata"u8).Remove("@id"u8).Remove("@etag"u8).Leave());

    [Fact]
    public void Merging_into_a_nested_object_adds_and_replaces_its_properties() => Check(
        """{"Name":"Oren","Age":34,"@metadata":{"@collection":"Dogs","@id":"users/1","@flags":[null]},"Tags":[1]}""",
        Start(Stored).Enter("@metadata"u8).Merge(Other("""{"@flags":[null],"@collection":"Dogs"}""")).Leave());

    [Fact]
    public void A_missing_object_is_made_only_if_a_property_of_it_is_set()
    {
        Check("""{"a":1}""", Start("""{"a":1}""").Enter("m"u8).Remove("x"u8).Leave());
        Check(
            """{"a":1,"m":{"n":{"x":null}}}""",
            Start("""{"a":1}""").Enter("m"u8).Enter("n"u8).SetNull("x"u8).Leave().Leave());
        Check("""{"a":{"x":2}}""", Start("""{"a":1}""").Enter("a"u8).Set("x"u8, 2).Leave());
        Check("""{"a":1}""", Start("""{"a":1}""").Enter("a"u8).Remove("x"u8).Leave());
    }

    [Fact]
    public void The_last_change_of_a_property_counts()
    {
        Check("""{"b":2}""", Start("""{"a":1}""").Set("a"u8, 5).Set("b"u8, 1).Remove("a"u8).Set("b"u8, 2));
        Check("""{"a":7}""", Start("""{"a":1}""").Enter("a"u8).Set("x"u8, 5).Leave().Set("a"u8, 7));
    }

    [Fact]
    public void Every_kind_of_value_is_copied_as_it_is_stored()
    {
        string text = new('e', 300);
        string json =
            $$"""{"s":"the people\n","l":"{{text}}","n":[1.50,1e4,-7,true,false,null,"",{},[]],"o":{"":{"x":-0} } }"""
                .Replace(" } }", "}}", StringComparison.Ordinal);
        foreach (BlittableMode mode in Enum.GetValues<BlittableMode>())
        {
            BlittableObject source = Documents.Parse(_context, json, mode).AsObject();
            BlittableObject copy = _context.Modifier.Start(source).Finish(BlittableMode.ToMemory);
            Documents.AssertValid(copy.Memory.Span);
            Assert.Equal(source.Memory.Length, copy.Memory.Length);
            Assert.Equal(json, Documents.ToJson(copy.AsValue()));
            BlittableObject moved = _context.Modifier.Start(default).Set("all"u8, source.AsValue()).Finish(mode);
            Documents.AssertValid(moved.Memory.Span);
            Assert.Equal($$"""{"all":{{json}}}""", Documents.ToJson(moved.AsValue()));
        }
    }

    [Fact]
    public void Calls_out_of_order_and_invalid_UTF8_are_refused()
    {
        Assert.Throws<InvalidOperationException>(() => _context.Modifier.Set("a"u8, 1));
        Assert.Throws<InvalidOperationException>(() => Start("{}").Leave());
        Assert.Throws<InvalidOperationException>(() => Start("{}").Set("a"u8, [0xFF]));
        Assert.Throws<InvalidOperationException>(() => Start("{}").Set([0xFF], 1).Finish(BlittableMode.ToMemory));
    }

    [Fact]
    public void Changing_a_document_allocates_no_managed_memory()
    {
        BlittableObject source = Documents.Parse(_context, Stored).AsObject();
        int age = 0;
        Assert.Equal(0, Allocated.Least(() => _context.Modifier.Start(source).Set("Age"u8, age++)
            .Enter("@metadata"u8).Remove("@id"u8).Leave().Finish(BlittableMode.ToDisk)));
    }

    private BlittableObject Other(string json) => Documents.Parse(_context, json).AsObject();

    private BlittableModifier Start(string json) => _context.Modifier.Start(Other(json));

    private static void Check(string expected, BlittableModifier modifier)
    {
        BlittableObject changed = modifier.Finish(BlittableMode.ToDisk);
        Documents.AssertValid(changed.Memory.Span);
        Assert.Equal(expected, Documents.ToJson(changed.AsValue(), JsonOutputOptions.Original));
    }
}
