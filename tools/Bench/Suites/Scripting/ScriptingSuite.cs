using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Scripting;
using Raven.Scripting.Hosting;
using Raven.Scripting.Runtime;

namespace Raven.Tools.Bench.Suites.Scripting;

/// <summary>Scripts as the server runs them, beside Jint and V8 from their packages.</summary>
internal sealed class ScriptingSuite : IBenchSuite
{
    private const double JintRatio = 1.8;
    private const string Fib = "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } return fib(24);";
    private const string Loop = "var s = 0; for (var i = 0; i < 1000000; i++) { s += i; } return s;";

    /// <summary>Increment, push, a loop of 3, a total.</summary>
    private const string Patch = """
        doc.count++; doc.tags.push('new'); var total = 0;
        for (var i = 0; i < doc.lines.length; i++) { total += doc.lines[i].price * doc.lines[i].quantity; }
        doc.total = total;
        """;

    private const string Document = """
        {"count":1,"tags":["a","b"],"total":0,"lines":[{"price":10.5,"quantity":2},{"price":3,"quantity":4},
        {"price":7.25,"quantity":1}]}
        """;

    public string Name => "scripting";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        ScriptEngine engine = new(new ScriptEngineOptions { Clock = TimeProvider.System });
        ScriptLimits limits = new() { StepsMax = 1_000_000_000, TimeMax = TimeSpan.FromSeconds(60) };
        using PatchedDocument patched = new(engine, limits, Document, Patch);
        yield return Absolute("patch script on a stored document", "us", 5, () =>
            Measure.NanosecondsPerOperation(50_000, () => patched.Run(50_000)) / 1000);
        yield return Absolute("patch script, managed memory", "B", 1023, () =>
            Measure.AllocatedBytesPerOperation(10_000, () => patched.Run(10_000)));
        yield return Absolute("patch script and writing the document back", "us", 0, () =>
            Measure.NanosecondsPerOperation(20_000, () => patched.RunAndWrite(20_000)) / 1000);
        foreach (BenchRow row in OfItsOwn(engine, limits))
        {
            yield return row;
        }

        CompiledScript empty = engine.Compile("return 1");
        yield return Absolute("new run of a cached script", "us", 1, () =>
            Measure.NanosecondsPerOperation(200_000, () => Run(engine, limits, empty, 200_000)) / 1000);
        foreach ((string name, string text, double most) in new[] { ("fib(24)", Fib, 40.0), (
            "loop of 1 M", Loop, 60.0) })
        {
            CompiledScript script = engine.Compile(text);
            foreach (IPeerScript peer in Peers($"(function () {{ {text} }})();"))
            {
                yield return new BenchRow
                {
                    Name = $"{name}, beside {peer.Name}",
                    Unit = "ms",
                    PeerName = peer.Name,
                    Target = BenchTarget.AtMost(most),
                    Ours = () => Measure.CpuSeconds(() => Run(engine, limits, script, 1)) * 1000,
                    Peer = () => Measure.CpuSeconds(() => peer.Run(1)) * 1000,
                };
            }
        }

        yield return MapRow(context, engine, limits);
    }

    private static BenchRow Absolute(string name, string unit, double most, Func<double> ours) => new()
    {
        Name = name,
        Unit = unit,
        Target = most > 0 ? BenchTarget.AtMost(most) : BenchTarget.None,
        WarmUpRuns = 5,
        Ours = ours,
    };

    /// <summary>The engines beside ours, each ended before the next begins.</summary>
    private static IEnumerable<IPeerScript> Peers(string text)
    {
        using (JintScript jint = new(text))
        {
            yield return jint;
        }

        if (V8PeerScript.TryCreate(text) is { } v8)
        {
            using (v8)
            {
                yield return v8;
            }
        }
    }

    /// <summary>
    /// All run the script on an object that the script itself has made, as the peers know no stored documents.
    /// </summary>
    private static IEnumerable<BenchRow> OfItsOwn(ScriptEngine engine, ScriptLimits limits)
    {
        string text = $"var doc = {Document};\n{Patch}";
        CompiledScript script = engine.Compile(text);
        foreach (IPeerScript peer in Peers(text))
        {
            yield return new BenchRow
            {
                Name = $"patch script on an object of its own, beside {peer.Name}",
                Unit = "runs/s",
                PeerName = peer.Name,
                Target = peer is JintScript ? BenchTarget.RatioAtLeast(JintRatio) : BenchTarget.None,
                WarmUpRuns = 5,
                Ours = () => Measure.OperationsPerCpuSecond(20_000, () => Run(engine, limits, script, 20_000)),
                Peer = () => Measure.OperationsPerCpuSecond(5_000, () => peer.Run(5_000)),
            };
        }
    }

    private static void Run(ScriptEngine engine, ScriptLimits limits, CompiledScript script, int count)
    {
        for (int i = 0; i < count; i++)
        {
            using ScriptRun run = engine.Begin(limits);
            run.Execute(script, JsValue.Undefined);
        }
    }

    private static BenchRow MapRow(BenchContext context, ScriptEngine engine, ScriptLimits limits)
    {
        const string Row = "JavaScript map over tate documents, 3 properties";
        Blittable.DocumentSet? set = context.Wants(Row)
            ? Blittable.DocumentSets.TryLoad(context, Blittable.DocumentSets.TateArtworks, int.MaxValue) : null;
        if (set is null)
        {
            return BenchRow.Skip(Row, "documents/s", Blittable.DocumentSets.Missing);
        }

        OperationContext operation = new();
        NativeSlice[] documents = new NativeSlice[set.Count];
        for (int i = 0; i < documents.Length; i++)
        {
            bool parsed = operation.Parser.TryParse(
                set[i].Span, BlittableMode.ToMemory, out BlittableObject document, out var error);
            documents[i] = parsed ? document.Memory : throw new InvalidDataException(error.Reason);
        }

        return new BenchRow
        {
            Name = Row,
            Unit = "documents/s",
            Target = BenchTarget.AtLeast(500_000),
            Ours = () => Measure.OperationsPerCpuSecond(documents.Length, () => Map(engine, limits, documents)),
        };
    }

    private static void Map(ScriptEngine engine, ScriptLimits limits, NativeSlice[] documents)
    {
        using ScriptRun run = engine.Begin(limits);
        run.Execute(engine.Compile("""
            map('Artworks', function (a) { return { title: a.title, year: a.dateText, artist: a.all_artists }; });
            """), JsValue.Undefined);
        JsValue map = run.Maps[0].Function;
        foreach (NativeSlice memory in documents)
        {
            run.RenewBudget();
            JsValue document = run.ToValue(new ScriptDocument { Data = BlittableObject.Open(memory) });
            run.Call(map, JsValue.Undefined, document);
        }
    }

    private sealed class PatchedDocument : IDisposable
    {
        private readonly OperationContext _source = new();
        private readonly OperationContext _target = new();
        private readonly ScriptEngine _engine;
        private readonly ScriptLimits _limits;
        private readonly ScriptDocument _document;
        private readonly CompiledScript _script;

        internal PatchedDocument(ScriptEngine engine, ScriptLimits limits, string json, string script)
        {
            (_engine, _limits) = (engine, limits);
            byte[] text = Encoding.UTF8.GetBytes(json);
            _document = _source.Parser.TryParse(text, BlittableMode.ToDisk, out BlittableObject data, out var error)
                ? new ScriptDocument { Data = data } : throw new InvalidDataException(error.Reason);
            _script = engine.Compile(script, "doc");
        }

        public void Dispose()
        {
            _source.Dispose();
            _target.Dispose();
        }

        internal void Run(int count)
        {
            for (int i = 0; i < count; i++)
            {
                using ScriptRun run = _engine.Begin(_limits);
                JsValue document = run.ToValue(_document);
                run.Execute(_script, document, document);
            }
        }

        internal void RunAndWrite(int count)
        {
            for (int i = 0; i < count; i++)
            {
                _target.Reset();
                using ScriptRun run = _engine.Begin(_limits);
                JsValue document = run.ToValue(_document);
                run.Execute(_script, document, document);
                run.Write(document, BlittableMode.ToDisk, _target);
            }
        }
    }
}
