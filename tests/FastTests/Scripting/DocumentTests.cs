using System.Buffers;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Scripting;
using Raven.Scripting.Hosting;
using Raven.Scripting.Runtime;

namespace FastTests.Scripting;

/// <summary>Scripts over stored documents: what they read, what they change, and what stays as it is.</summary>
public sealed class DocumentTests : IDisposable
{
    private static readonly ScriptEngine Engine = new(new ScriptEngineOptions { Clock = TimeProvider.System });

    private readonly OperationContext _context = new();
    private readonly OperationContext _target = new();

    public void Dispose()
    {
        _context.Dispose();
        _target.Dispose();
    }

    [Theory]
    [InlineData("this.a++", """{"a":2,"b":{"c":[1,2]},"s":"x"}""")]
    [InlineData("this.b.c.push(3)", """{"a":1,"b":{"c":[1,2,3]},"s":"x"}""")]
    [InlineData("this.b.c[0] = 'n'", """{"a":1,"b":{"c":["n",2]},"s":"x"}""")]
    [InlineData("delete this.b", """{"a":1,"s":"x"}""")]
    [InlineData(
        "this.n = { d: new Date(0), u: undefined, f() { } }",
        """{"a":1,"b":{"c":[1,2]},"s":"x","n":{"d":"1970-01-01T00:00:00.0000000Z"}}""")]
    [InlineData("this.b = this.b.c.map(x => x * 2)", """{"a":1,"b":[2,4],"s":"x"}""")]
    [InlineData("this.copy = this.b; this.copy.c.pop()", """{"a":1,"b":{"c":[1]},"s":"x","copy":{"c":[1]}}""")]
    [InlineData("Object.assign(this, { a: NaN, z: -0 })", """{"a":null,"b":{"c":[1,2]},"s":"x","z":0}""")]
    [InlineData("this.b.c.sort((x, y) => y - x); this.b.c.length = 1", """{"a":1,"b":{"c":[2]},"s":"x"}""")]
    [InlineData(
        "for (const k of Object.keys(this)) this[k.toUpperCase()] = typeof this[k]",
        """{"a":1,"b":{"c":[1,2]},"s":"x","A":"number","B":"object","S":"string"}""")]
    [InlineData(
        "getMetadata(this)['@collection'] = 'Users'",
        """{"a":1,"b":{"c":[1,2]},"s":"x","@metadata":{"@collection":"Users"}}""")]
    public void A_patch_changes_the_values_that_its_script_changes_and_no_others(string script, string expected) =>
        Assert.Equal(expected, Patch("""{"a":1,"b":{"c":[1,2]},"s":"x"}""", script));

    [Theory]
    [InlineData("")]
    [InlineData("this.a")]
    [InlineData("this.a = this.a")]
    [InlineData("this.a = 1; this.s = 'x' + ''")]
    [InlineData("this.b.c.push(3); this.b.c.pop()")]
    [InlineData("this.b.c = this.b.c.map(x => x)")]
    [InlineData("this.b = { c: [1, 2] }")]
    [InlineData("this.b.c.sort()")]
    [InlineData("this.z = undefined; this.y = 1; delete this.y")]
    [InlineData("delete this.a; this.a = 1")]
    [InlineData("getMetadata(this)['@id']; JSON.stringify(this); for (const k in this) this[k];")]
    public void A_script_that_changes_nothing_is_no_change(string script) =>
        Assert.Null(Patch("""{"a":1,"b":{"c":[1,2]},"s":"x"}""", script));

    [Fact]
    public void Numbers_that_no_double_holds_keep_their_digits_unless_a_script_sets_them()
    {
        const string Start = """{"big":9007199254740993,"pi":3.14159265358979323846264338""";
        const string Source = Start + ""","l":[18446744073709551615,1.10,1],"o":{"d":0.10}}""";
        Assert.Equal(
            Start + ""","l":[18446744073709551615,1.10,1],"o":{"d":0.10,"n":1}}""",
            Patch(Source, "this.o.n = 1; this.big; this.pi = this.pi;"));
        Assert.Equal(
            Start.Replace("993", "991") + ""","l":[1,1.10,18446744073709551615,7],"o":{"d":0.10}}""",
            Patch(Source, "this.l.reverse(); this.l.push(7); this.big = this.big - 1"));
        Assert.Equal(
            Start + ""","l":[18446744073709551615,2,1],"o":{"d":0.10},"c":{"d":0.10}}""",
            Patch(Source, "this.l[1] = 2; this.c = this.o;"));
    }

    [Fact]
    [Trait("Fault", "D8")]
    public void A_number_that_a_script_computes_is_stored_as_such_beside_one_that_is_the_same_double() => Assert.Equal(
        "{\"f\":0.10000000000000000001,\"m\":9007199254740992,\"tax\":0.1,\"g\":0.10000000000000000001,\"z\":0.1,"
        + "\"n\":9007199254740993,\"l\":[9007199254740992,9007199254740993]}",
        Patch(
            "{\"f\":0.10000000000000000001,\"m\":9007199254740993}",
            "this.tax = 0.1; this.g = this.f; this.z = 0.05 * 2; this.n = this.m; this.l = [this.m - 0, this.m]; "
            + "this.m = 9007199254740992;"));

    [Theory]
    [InlineData("this.m = String(BigInt(this.m) + 1n)", """{"m":"9007199254740994","l":[1,{"x":2}]}""")]
    [InlineData("this.m = Number(BigInt(this.l[1].x))", """{"m":2,"l":[1,{"x":2}]}""")]
    [InlineData("this.c = structuredClone(this.l); this.c[1].x = 3",
        """{"m":9007199254740993,"l":[1,{"x":2}],"c":[1,{"x":3}]}""")]
    [InlineData("this.l = this.l.toReversed()", """{"m":9007199254740993,"l":[{"x":2},1]}""")]
    [InlineData("this.l = this.l.with(0, this.m)", """{"m":9007199254740993,"l":[9007199254740993,{"x":2}]}""")]
    [InlineData("this.l = Object.groupBy(this.l, x => typeof x)",
        """{"m":9007199254740993,"l":{"number":[1],"object":[{"x":2}]}}""")]
    public void What_the_language_has_besides_works_on_documents(string script, string expected) =>
        Assert.Equal(expected, Patch("""{"m":9007199254740993,"l":[1,{"x":2}]}""", script));

    [Theory]
    [InlineData("this.n = 1n")]
    [InlineData("this.n = [Object(1n)]")]
    [InlineData("this.n = { big: [2n ** 70n] }")]
    public void A_document_holds_no_BigInt(string script)
    {
        ScriptException exception = Assert.Throws<ScriptException>(() => Patch("""{"a":1}""", script));
        Assert.StartsWith(
            "TypeError: Do not know how to serialize a BigInt", exception.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("return this.Lines[3].Price", "4")]
    [InlineData("return this.Lines.length + Object.keys(this.Lines[0]).join()", "\"5Price,Name\"")]
    [InlineData("return this.Lines.filter(l => l.Price > 3).map(l => l.Name)", """["n4","n5"]""")]
    [InlineData("return [...this.Lines].length + this.Lines.reduce((s, l) => s + l.Price, 0)", "20")]
    [InlineData(
        "return [Array.isArray(this.Lines), this.Lines === this.Lines, this.none, this.Lines[9], 'Lines' in this]",
        """[true,true,null,null,true]""")]
    [InlineData("let { Lines: [a, ...r], none = 5 } = this; return [a.Name, r.length, none]", """["n1",4,5]""")]
    [InlineData(
        "return this.Lines.concat(1).length + this.Lines.slice(1, 3).length + this.Lines.indexOf(this.Lines[2])",
        "10")]
    [InlineData(
        "for (const l of this.Lines) if (l.Price == 2) return JSON.stringify(l)",
        "\"{\\\"Price\\\":2,\\\"Name\\\":\\\"n2\\\"}\"")]
    public void A_script_reads_a_document_as_an_ordinary_object(string script, string expected)
    {
        string lines = string.Join(',', Enumerable.Range(1, 5).Select(i => $$"""{"Price":{{i}},"Name":"n{{i}}"}"""));
        using ScriptRun run = Engine.Begin(new ScriptLimits());
        JsValue self = run.ToValue(new ScriptDocument { Data = Parse($$"""{"Lines":[{{lines}}]}"""), Id = "orders/1" });
        Assert.Equal(expected, run.ToJson(run.Execute(Engine.Compile(script), self)));
    }

    [Fact]
    public void A_document_of_a_megabyte_patched_at_one_path_copies_less_than_two_kilobytes()
    {
        string items = string.Join(
            ',', Enumerable.Range(0, 20_000).Select(i => $$"""{"i":{{i}},"t":"some text of item {{i}}"}"""));
        BlittableObject source = Parse("{\"list\":[" + items + "],\"deep\":{\"er\":{\"n\":1}}}");
        Assert.True(source.Memory.Length > 500_000);
        CompiledScript script = Engine.Compile("this.deep.er.n++; this.list[7].i = 'changed'; this.list.push(1);");
        long bytes = 0;
        for (int i = 0; i < 5; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            using ScriptRun run = Engine.Begin(new ScriptLimits());
            JsValue self = run.ToValue(new ScriptDocument { Data = source });
            run.Execute(script, self);
            bytes = GC.GetAllocatedBytesForCurrentThread() - before;
            Assert.True(run.IsChanged(self));
        }

        Assert.InRange(bytes, 0, 2047);
    }

    [Fact]
    public void Host_functions_get_the_arguments_of_a_script_and_return_their_results_to_it()
    {
        FakeHost host = new(_target, id => Parse($$"""{"name":"{{id}}","refs":["a","b"],"ref":"c"}"""));
        using ScriptRun run = Engine.Begin(new ScriptLimits(), host);
        run.SetArguments(run.ToValue(Parse("""{"factor":3}""").AsValue()));
        JsValue self = run.ToValue(new ScriptDocument
        {
            Data = Parse("""{"ref":"users/2","refs":["x","y"],"@metadata":{"@collection":"Orders"}}"""),
            Id = "orders/1",
            ChangeVector = "A:1",
            LastModified = DateTimeOffset.UnixEpoch,
        });
        string? result = run.ToJson(run.Execute(Engine.Compile("""
            const made = put('logs/', { of: id(this), at: args.factor * 2 });
            include(this.ref); output('hello'); output({ a: 1 });
            let refused; try { del('locked') } catch (e) { refused = e.message }
            incrementCounter(this, 'likes', 2);
            timeseries(this, 'heart').append('2020-01-01T00:00:00Z', [1, 2], 'watch');
            return [made, load(this.ref).name, load('missing'), loadPath(this, 'refs').map(d => d.name),
                getMetadata(this)['@id'], getMetadata(this)['@collection'], lastModified(this), cmpxchg('k'), del('a'),
                refused, counter(this, 'likes'), Math.round(spatial.distance(0, 0, 0, 1))];
            """), self));
        Assert.Equal(
            """["logs/1","users/2",null,["x","y"],"orders/1","Orders",0,{"v":1},true,"no","""
                + """2,111]""",
            result);
        Assert.Equal(
            ["put logs/ {\"of\":\"orders/1\",\"at\":6}", "include users/2", "output hello", "output {\"a\":1}",
                "increment likes 2", "append heart 2", "del a"],
            host.Log);
        Assert.False(run.IsChanged(self));
    }

    private BlittableObject Parse(string json)
    {
        Assert.True(_context.Parser.TryParse(
            Encoding.UTF8.GetBytes(json), BlittableMode.ToDisk, out BlittableObject document, out JsonError error),
            error.Reason);
        return document;
    }

    /// <summary>The changed document as JSON; null if the script changed nothing.</summary>
    [Fact]
    public void The_example_of_the_docs_changes_a_document()
    {
        var host = new FakeHost(_target, _ => throw new InvalidOperationException("Nothing else is loaded."));
        BlittableObject stored = Parse("""{"Lines":[{"Price":2,"Quantity":3},{"Price":5,"Quantity":1}]}""");
        OperationContext context = _target;

        var engine = new ScriptEngine(new ScriptEngineOptions { Clock = TimeProvider.System });   // one for a server
        CompiledScript script = engine.Compile("this.Total = this.Lines.reduce((s, l) => s + l.Price * l.Quantity, 0)");
        using ScriptRun run = engine.Begin(new ScriptLimits(), host);                             // one for a document
        JsValue document = run.ToValue(new ScriptDocument { Data = stored, Id = "orders/1" });
        run.Execute(script, document);
        BlittableValue changed = run.Write(document, BlittableMode.ToDisk, context);   // where run.IsChanged(document)

        Assert.True(run.IsChanged(document));
        Assert.EndsWith(",\"Total\":11}", ToJson(changed.AsObject()), StringComparison.Ordinal);
    }

    private string? Patch(string json, string script)
    {
        using ScriptRun run = Engine.Begin(new ScriptLimits());
        JsValue self = run.ToValue(new ScriptDocument { Data = Parse(json), Id = "users/1" });
        run.Execute(Engine.Compile(script), self);
        return run.IsChanged(self) ? ToJson(run.Write(self, BlittableMode.ToDisk, _target).AsObject()) : null;
    }

    private static string ToJson(BlittableObject document)
    {
        ArrayBufferWriter<byte> json = new();
        BlittableToJson.Write(document, json, JsonOutputOptions.Original);
        return Encoding.UTF8.GetString(json.WrittenSpan);
    }

    private sealed class FakeHost(OperationContext context, Func<string, BlittableObject> documents) : ScriptHost
    {
        internal List<string> Log { get; } = [];

        public override OperationContext Context => context;

        public override bool TryLoad(string id, out ScriptDocument document)
        {
            document = id == "missing" ? null! : new ScriptDocument { Data = documents(id), Id = id };
            return id != "missing";
        }

        public override string Put(string id, BlittableObject document, string? changeVector)
        {
            Log.Add($"put {id} {ToJson(document)}");
            return id + "1";
        }

        public override bool Delete(string id, string? changeVector)
        {
            if (id == "locked")
            {
                throw new ScriptHostException("no");
            }

            Log.Add($"del {id}");
            return true;
        }

        public override bool TryGetCompareExchange(string key, out BlittableValue value)
        {
            value = ParseValue();
            return true;
        }

        public override void Include(string id) => Log.Add($"include {id}");

        public override void Output(string text) => Log.Add($"output {text}");

        public override bool TryGetCounter(string documentId, string name, out long value)
        {
            value = 2;
            return documentId == "orders/1";
        }

        public override void IncrementCounter(string documentId, string name, double delta) =>
            Log.Add($"increment {name} {delta}");

        public override void AppendTimeSeries(
            string documentId, string name, DateTimeOffset time, ReadOnlySpan<double> values, string? tag) =>
            Log.Add($"append {name} {values.Length}");

        private BlittableValue ParseValue()
        {
            Assert.True(context.Parser.TryParse(
                """{"v":1}"""u8, BlittableMode.ToMemory, out BlittableObject value, out _));
            return value.AsValue();
        }
    }
}
