using System.Runtime.CompilerServices;
using Raven.Scripting.Hosting;

namespace Raven.Scripting.Runtime;

/// <summary>
/// The state of one run: what is left of its limits, its frames, its globals. Reused by later runs of the same thread
/// or another, one at a time; nothing that a script made survives <see cref="End"/>.
///
///   STEP-1  _countdown steps are left until the next look at the clock, the token and the budget.
///   STEP-2  Every loop, call and long-running built-in function charges steps; every allocation charges bytes before
///           it is made.
/// </summary>
internal sealed class Run
{
    /// <summary>Steps between two checks of the clock: some ten microseconds.</summary>
    private const int StepsPerCheck = 512;
    private const int CharactersPerStep = 64;

    private readonly TimeProvider _clock;
    private Frame[] _frames = [];
    private int _frameTop;
    private int _frameHighWater;
    private int _countdown;
    private long _stepsLeft;
    private long _bytesLeft;
    private long _deadline;
    private int _depth;
    private CancellationToken _cancellation;
    private ScriptLimits _limits = new();

    internal Run(Realm? realm, TimeProvider clock)
    {
        Realm = realm!;
        _clock = clock;
    }

    internal Realm Realm { get; set; }

    internal TimeProvider Clock => _clock;

    internal ScriptLimits Limits => _limits;

    /// <summary>The offset in the script of the call or operation that runs.</summary>
    internal int Position;

    /// <summary>The host of the script's database; null if it has none.</summary>
    internal ScriptHost? Host;

    /// <summary>The properties that the script itself gave to the global object; null until it does.</summary>
    internal JsObject? Globals;

    /// <summary>The frozen strings of tagged templates that this run has evaluated, by their nodes.</summary>
    internal Dictionary<object, JsArray>? Templates;

    /// <summary>The symbols of <c>Symbol.for</c> by their keys; null until there is one.</summary>
    internal Dictionary<string, JsSymbol>? Symbols;

    internal JsValue Arguments;

    internal Random? Chance;

    /// <summary>The arrays whose elements are being joined, the innermost last.</summary>
    internal List<JsObject> Joining { get; } = [];

    /// <summary>The functions that scripts passed to map().</summary>
    internal List<(string Collection, JsValue Function)> Maps { get; } = [];

    /// <summary>Matchers that backtrack, with this run's time for one match.</summary>
    internal TimedMatchers Matchers { get; } = new();

    /// <summary>The time of one match that backtracks.</summary>
    internal TimeSpan RegExpTime => _limits.RegExpTimeMax < _limits.TimeMax ? _limits.RegExpTimeMax : _limits.TimeMax;

    /// <summary>Whether a member of null or undefined is undefined.</summary>
    internal bool ReadsThroughMissing => _limits.ReadsThroughMissing;

    internal long StepsUsed => _limits.StepsMax - _stepsLeft - Math.Max(_countdown, 0);

    internal long BytesUsed => _limits.MemoryBytesMax - _bytesLeft;

    internal void Begin(ScriptLimits limits, CancellationToken cancellation)
    {
        _limits = limits;
        _cancellation = cancellation;
        Joining.Clear();
        Maps.Clear();
        Matchers.Use(RegExpTime);
        Globals = null;
        Arguments = JsValue.Undefined;
        RenewBudget();
    }

    internal void RenewBudget()
    {
        _stepsLeft = _limits.StepsMax;
        _bytesLeft = _limits.MemoryBytesMax;
        _countdown = 0;
        _depth = 0;
        _frameTop = 0;
        TimeProvider clock = _limits.TimeClock ?? _clock;
        _deadline = clock.GetTimestamp() + (long)(_limits.TimeMax.TotalSeconds * clock.TimestampFrequency);
    }

    /// <summary>Drops everything that the run made.</summary>
    internal void End()
    {
        for (int i = 0; i < _frameHighWater; i++)
        {
            Frame frame = _frames[i];
            if (frame.Locals.Length > 256)
            {
                frame.Locals = [];
            }

            Array.Clear(frame.Locals);
            (frame.Scope, frame.NewTarget, frame.Generator) = (null, null, null);
            (frame.Self, frame.Result, frame.Arguments) = (default, default, []);
            frame.Function = null!;
        }

        if (_frames.Length > 256)
        {
            Array.Resize(ref _frames, 256);
        }

        _frameHighWater = 0;
        _frameTop = 0;
        (Host, Globals, Chance, Arguments, Templates, Symbols) = (null, null, null, default, null, null);
        Maps.Clear();
        _cancellation = default;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Step()
    {
        if (--_countdown < 0)
        {
            Check();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void ChargeSteps(int steps)
    {
        if ((_countdown -= steps) < 0)
        {
            Check();
        }
    }

    /// <summary>Charges for reading so many characters: to compare, hash or parse them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void ChargeText(int characters)
    {
        if (characters >= CharactersPerStep)
        {
            ChargeSteps(characters / CharactersPerStep);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void ChargeBytes(long bytes)
    {
        if ((_bytesLeft -= bytes) < 0)
        {
            throw Limit(ScriptFailure.Memory, $"The script allocated more than {_limits.MemoryBytesMax} bytes");
        }
    }

    /// <summary>Asks for the memory of a text that is to be a string.</summary>
    internal void TakeText(long bytes)
    {
        if (Host?.TryTakeText(bytes) == false)
        {
            throw Limit(ScriptFailure.Texts, "There is no memory for a long text now");
        }
    }

    internal void CheckStringLength(long length)
    {
        if (length > _limits.StringLengthMax)
        {
            throw Limit(
                ScriptFailure.StringLength, $"A string would be longer than {_limits.StringLengthMax} characters");
        }
    }

    internal void CheckArrayLength(long length)
    {
        if (length > Math.Min(_limits.ArrayLengthMax, JsArray.LengthMax))
        {
            throw Limit(
                ScriptFailure.ArrayLength, $"An array would have more than {_limits.ArrayLengthMax} elements");
        }
    }

    /// <summary>
    /// Enters a call. Paired with <see cref="LeaveCall"/> unless an exception passes; its handler restores the depth.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void EnterCall()
    {
        Step();
        if (++_depth > _limits.CallDepthMax || !RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            throw CallDepth();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void LeaveCall() => _depth--;

    /// <summary>Called by code that recurses without calling, so that the thread's stack is never exhausted.</summary>
    internal void CheckStack()
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            throw CallDepth();
        }
    }

    /// <summary>The state that a handler restores when it catches.</summary>
    internal (int Frames, int Depth) SaveDepth() => (_frameTop, _depth);

    internal void RestoreDepth((int Frames, int Depth) saved) => (_frameTop, _depth) = saved;

    /// <summary>A frame with at least that many slots, whose values are those of an earlier call.</summary>
    internal Frame RentFrame(int slots)
    {
        if (_frameTop == _frames.Length)
        {
            Array.Resize(ref _frames, Math.Max(16, _frames.Length * 2));
        }

        Frame frame = _frames[_frameTop++] ??= new Frame(this);
        _frameHighWater = Math.Max(_frameHighWater, _frameTop);
        if (frame.Locals.Length < slots)
        {
            ChargeBytes(24 + (16 * slots));
            frame.Locals = new JsValue[Math.Max(slots, 8)];
        }

        return frame;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void ReturnFrame() => _frameTop--;

    /// <summary>Calls from a built-in function back into the script.</summary>
    internal JsValue Call(JsFunction function, JsValue self, ReadOnlySpan<JsValue> arguments) =>
        function.Call(this, self, arguments);

    internal JsValue Invoke(JsValue target, object key, ReadOnlySpan<JsValue> arguments)
    {
        JsValue method = GetProperty(target, key);
        return method.AsFunction is { } function ? function.Call(this, target, arguments)
            : throw TypeError($"{Describe.Key(key)} is not a function");
    }

    /// <summary>Reads a property of any value.</summary>
    internal JsValue GetProperty(JsValue target, object key)
    {
        if (target.IsObject)
        {
            return target.Object.Get(this, key, target);
        }

        if (target.IsString && key is string name)
        {
            if (name == "length")
            {
                return new JsValue(target.String.Length);
            }

            if (PropertyKeys.TryIndex(name, out uint index))
            {
                return index < target.String.Length
                    ? new JsValue(JsString.Of(target.String.Flat[(int)index])) : JsValue.Undefined;
            }
        }

        return !target.IsNullish ? Realm.PrototypeOf(target).Get(this, key, target)
            : ReadsThroughMissing ? JsValue.Undefined
            : throw TypeError(
                $"Cannot read properties of {Describe.Value(target)} (reading {Describe.Key(key)})");
    }

    internal JsArray NewArray(JsValue[] items, int count)
    {
        ChargeBytes(112 + (16L * items.Length));
        return new JsArray(Realm.ArrayPrototype, items, count);
    }

    internal JsArray NewArray(int capacity = 0)
    {
        CheckArrayLength(capacity);
        ChargeBytes(112 + (16L * capacity));
        return new JsArray(Realm.ArrayPrototype, capacity == 0 ? [] : new JsValue[capacity], 0);
    }

    internal JsObject NewObject()
    {
        ChargeBytes(88);
        return new JsObject(Realm.ObjectPrototype);
    }

    internal JsObject NewError(JsObject prototype, string message)
    {
        ChargeBytes(200 + (message.Length * 2));
        JsObject error = new(prototype, ObjectClass.Error);
        error.Define(this, "stack", JsValue.Of(""), PropertyFlags.Hidden);
        error.Define(this, "message", JsValue.Of(message), PropertyFlags.Hidden);
        return error;
    }

    internal JsValue NewString(string text)
    {
        ChargeBytes(64 + (2L * text.Length));
        return new JsValue(JsString.Of(text));
    }

    internal ThrownException TypeError(string message) => Throw(Realm.TypeErrorPrototype, message);

    internal ThrownException RangeError(string message) => Throw(Realm.RangeErrorPrototype, message);

    internal ThrownException ReferenceError(string message) => Throw(Realm.ReferenceErrorPrototype, message);

    internal ThrownException SyntaxError(string message) => Throw(Realm.SyntaxErrorPrototype, message);

    internal LimitException Limit(ScriptFailure failure, string message) => new(failure, message, Position);

    private LimitException CallDepth() =>
        Limit(ScriptFailure.CallDepth, $"Calls are nested more than {_limits.CallDepthMax} deep, or the stack ends");

    private ThrownException Throw(JsObject prototype, string message)
    {
        ChargeSteps(100);
        return new ThrownException(new JsValue(NewError(prototype, message)), Position);
    }

    private void Check()
    {
        // If _countdown is negative, that many steps were used beyond the last ration.
        _stepsLeft += _countdown;
        _countdown = 0;
        if (_stepsLeft < 0)
        {
            throw Limit(ScriptFailure.Steps, $"The script took more than {_limits.StepsMax} steps");
        }

        if (_cancellation.IsCancellationRequested)
        {
            throw Limit(ScriptFailure.Cancelled, "The script was cancelled");
        }

        if ((_limits.TimeClock ?? _clock).GetTimestamp() > _deadline)
        {
            throw Limit(ScriptFailure.Time, $"The script ran longer than {_limits.TimeMax.TotalMilliseconds} ms");
        }

        _countdown = (int)Math.Min(StepsPerCheck, _stepsLeft);
        _stepsLeft -= _countdown;
    }
}
