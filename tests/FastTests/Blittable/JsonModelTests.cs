using System.Text;
using System.Text.Json;
using FsCheck;
using FsCheck.Fluent;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace FastTests.Blittable;

/// <summary>
/// Documents against System.Text.Json as the model. FsCheck prints the seed that failed and replays it.
/// </summary>
public sealed class JsonModelTests : IDisposable
{
    private static readonly JsonDocumentOptions s_strict = new() { MaxDepth = 128, AllowDuplicateProperties = false };
    private readonly OperationContext _context = new();

    public void Dispose() => _context.Dispose();

    [Fact]
    [Trait("Invariant", "BUILD-2")]
    [Trait("Invariant", "BUILD-4")]
    public void Any_document_reads_as_the_model_does() => Check.One(
        Config.QuickThrowOnFailure.WithMaxTest(150),
        Prop.ForAll(Seeds(), seed =>
        {
            string json = RandomJson.Make(new Random(seed), depth: 5);
            using JsonDocument model = JsonDocument.Parse(json, s_strict);
            foreach (BlittableMode mode in Enum.GetValues<BlittableMode>())
            {
                BlittableValue value = Documents.Parse(_context, json, mode);
                Documents.AssertValid(value);
                AssertEqual(model.RootElement, value);
                Assert.Equal(json, Documents.ToJson(value));
                using JsonDocument sorted = JsonDocument.Parse(Documents.ToJson(value, JsonOutputOptions.Default));
                Assert.True(JsonElement.DeepEquals(model.RootElement, sorted.RootElement));
            }

            _context.Reset();
        }));

    [Fact]
    public void Any_document_changes_as_the_model_does() => Check.One(
        Config.QuickThrowOnFailure.WithMaxTest(150),
        Prop.ForAll(Seeds(), seed =>
        {
            Random random = new(seed);
            BlittableObject source = Documents.Parse(_context, RandomJson.Make(random, depth: 4)).AsObject();
            Dictionary<string, string> model = [];
            List<string> names = [];
            for (int i = 0; i < source.Count; i++)
            {
                BlittableProperty property = source.GetProperty(i);
                names.Add(property.GetName());
                model[property.GetName()] = Documents.ToJson(property.Value);
            }

            _context.Modifier.Start(source);
            for (int change = random.Next(8); change > 0; change--)
            {
                bool isOld = names.Count > 0 && random.Next(2) == 0;
                string name = isOld ? names[random.Next(names.Count)] : $"new{change % 3}";
                if (random.Next(3) == 0)
                {
                    _context.Modifier.Remove(Encoding.UTF8.GetBytes(name));
                    model.Remove(name);
                }
                else
                {
                    _context.Modifier.Set(Encoding.UTF8.GetBytes(name), change);
                    model[name] = change.ToString(System.Globalization.CultureInfo.InvariantCulture);
                }
            }

            BlittableObject changed = _context.Modifier.Finish(BlittableMode.ToDisk);
            Documents.AssertValid(changed.Memory.Span);
            Assert.Equal(model.Count, changed.Count);
            foreach ((string name, string expected) in model)
            {
                Assert.Equal(expected, Documents.ToJson(changed[Encoding.UTF8.GetBytes(name)]));
            }

            _context.Reset();
        }));

    private static Arbitrary<int> Seeds() => Arb.From(Gen.Choose(0, int.MaxValue - 1));

    private static void AssertEqual(JsonElement model, BlittableValue value)
    {
        switch (model.ValueKind)
        {
            case JsonValueKind.Object:
                BlittableObject members = value.AsObject();
                Assert.Equal(model.GetPropertyCount(), members.Count);
                foreach (JsonProperty property in model.EnumerateObject())
                {
                    Assert.True(members.TryGet(Encoding.UTF8.GetBytes(property.Name), out BlittableValue member));
                    AssertEqual(property.Value, member);
                }

                Assert.False(members.TryGet("no such name"u8, out _));
                break;
            case JsonValueKind.Array:
                BlittableArray elements = value.AsArray();
                Assert.Equal(model.GetArrayLength(), elements.Count);
                for (int i = 0; i < elements.Count; i++)
                {
                    AssertEqual(model[i], elements[i]);
                }

                break;
            case JsonValueKind.String:
                Assert.Equal(model.GetString(), value.GetString());
                Assert.True(value.StringEquals(Encoding.UTF8.GetBytes(model.GetString()!)));
                break;
            case JsonValueKind.Number:
                bool isInteger = model.TryGetInt64(out long whole) && model.GetRawText() != "-0";
                Assert.Equal(isInteger, value.TryGetInt64(out long read));
                Assert.Equal(whole, read);
                break;
            default:
                Assert.Equal(model.ValueKind.ToString(), value.Kind.ToString());
                break;
        }
    }
}
