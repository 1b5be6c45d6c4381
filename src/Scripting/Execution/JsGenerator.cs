using Raven.Scripting.Runtime;


namespace Raven.Scripting.Execution;

internal enum ResumeMode : byte
{
    Next, Throw, Return,
}

/// <summary>
/// A generator: a frame of its own whose body is executed again at each resumption. Statements that contain a yield
/// keep their progress in slots, and continue there while <see cref="Resuming"/>.
/// </summary>
internal sealed class JsGenerator : JsObject
{
    private readonly Frame _frame;
    private bool _running;
    private bool _done;
    private bool _started;

    private JsGenerator(JsObject prototype, Frame frame)
        : base(prototype, ObjectClass.Generator)
    {
        _frame = frame;
        frame.Generator = this;
    }

    /// <summary>The statements around the yield continue at their last place; cleared by the yield itself.</summary>
    internal bool Resuming { get; private set; }

    internal ResumeMode Mode { get; private set; }

    /// <summary>The value passed by the caller.</summary>
    internal JsValue Sent { get; private set; }

    internal static JsValue Start(Run run, ScriptFunction function, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        FunctionCode code = function.Code;
        int slots = Math.Max(code.SlotCount, code.ParameterCount);
        run.ChargeBytes(400 + (16 * slots));
        Frame frame = new(run) { Locals = new JsValue[slots] };
        function.Bind(run, frame, arguments);
        function.Prepare(run, frame, self);
        if (code.CapturedCount > 0)
        {
            frame.PushScope(code.CapturedCount);
            frame.Scope!.Slots.AsSpan().Fill(JsValue.Undefined);
        }

        run.EnterCall();
        foreach (Node node in code.Prologue)
        {
            node.Evaluate(frame);
        }

        run.LeaveCall();
        JsObject prototype = function.Get(run, "prototype").AsObject ?? run.Realm.GeneratorPrototype;
        return new JsValue(new JsGenerator(prototype, frame));
    }

    /// <summary>The yield takes the sent value; from here on statements start from the beginning.</summary>
    internal void Arrive() => Resuming = false;

    /// <summary>Runs to the next yield or to the end and makes the result object.</summary>
    internal JsValue Resume(Run run, ResumeMode mode, JsValue value)
    {
        if (_running)
        {
            throw run.TypeError("Generator is already running");
        }

        if (!_started && mode != ResumeMode.Next)
        {
            _done = true;
        }

        if (_done)
        {
            return mode == ResumeMode.Throw ? throw new ThrownException(value, run.Position)
                : Result(run, mode == ResumeMode.Return ? value : JsValue.Undefined, done: true);
        }

        (Mode, Sent, Resuming) = (mode, value, _started);
        (_running, _started) = (true, true);
        run.EnterCall();
        Completion completion;
        bool ended = true;
        try
        {
            completion = Execute();
            ended = completion != Completion.Yield;
        }
        finally
        {
            _running = false;
            _done = ended;
        }

        run.LeaveCall();
        JsValue result = completion is Completion.Yield or Completion.Return ? _frame.Result : JsValue.Undefined;
        return Result(run, result, ended);
    }

    internal static JsValue Result(Run run, JsValue value, bool done)
    {
        run.ChargeBytes(120);
        JsValue[] values = [value, JsValue.Of(done)];
        return new JsValue(new JsObject(run.Realm.ObjectPrototype, ResultKeys, values, hasIndexKeys: false));
    }

    private static readonly object[] ResultKeys = ["value", "done"];

    private Completion Execute()
    {
        foreach (StatementNode statement in FrameOwners.FunctionOf(_frame).Code.Body)
        {
            Completion completion = statement.Execute(_frame);
            if (completion != Completion.Normal)
            {
                return completion;
            }
        }

        return Completion.Normal;
    }
}
