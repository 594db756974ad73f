; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources 544850278b3f3af7ddd1b90058d903121401520838aacc3a0eb0c55280b90aef

%struct.Pair = type { i64, i64 }

define void @sort_lines(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = load ptr, ptr %0, align 8
  %6 = load i64, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %8 = load i64, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %10 = load i64, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %5, i64 40
  %12 = load i64, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %14 = getelementptr inbounds i64, ptr %13, i64 %12
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %16 = getelementptr inbounds ptr, ptr %15, i64 %12
  %17 = getelementptr inbounds nuw i8, ptr %5, i64 32
  %18 = load i64, ptr %17, align 8
  %19 = icmp ne i64 %18, 0
  %20 = zext i1 %19 to i64
  %21 = add i64 %6, 7
  %22 = sdiv i64 %21, 8
  %23 = shl nsw i64 %22, 3
  %24 = getelementptr ptr, ptr %16, i64 %12
  %25 = getelementptr ptr, ptr %24, i64 %20
  %26 = load ptr, ptr %25, align 8
  %27 = shl i64 %3, 5
  %28 = mul i64 %27, %23
  %29 = getelementptr inbounds i8, ptr %26, i64 %28
  %30 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %31 = load i64, ptr %30, align 8
  %32 = icmp ne i64 %31, 0
  %33 = sext i1 %32 to i64
  %34 = icmp slt i64 %1, %2
  br i1 %34, label %35, label %48

35:
  %36 = mul i64 %8, %6
  %37 = mul i64 %10, %8
  %38 = getelementptr inbounds i64, ptr %29, i64 %23
  %39 = shl i64 %22, 7
  %40 = getelementptr inbounds i8, ptr %29, i64 %39
  %41 = mul i64 %22, 192
  %42 = getelementptr inbounds i8, ptr %29, i64 %41
  %43 = icmp sgt i64 %6, 0
  %44 = getelementptr inbounds nuw i8, ptr %5, i64 48
  %45 = icmp sgt i64 %6, 32
  %46 = icmp sgt i64 %12, 0
  %47 = icmp sgt i64 %10, 0
  br label %49

48:
  ret void

49:
  %50 = phi i64 [ %1, %35 ], [ %447, %446 ]
  %51 = sdiv i64 %50, %8
  %52 = srem i64 %50, %8
  %53 = mul i64 %36, %51
  %54 = add i64 %53, %52
  %55 = mul i64 %37, %51
  %56 = add i64 %55, %52
  br i1 %43, label %64, label %57

57:
  %58 = load i64, ptr %44, align 8
  %59 = icmp slt i64 %58, 1
  br i1 %59, label %69, label %60

60:
  %61 = mul nuw nsw i64 %58, 40
  %62 = getelementptr inbounds nuw i8, ptr %14, i64 %61
  %63 = getelementptr inbounds i8, ptr %62, i64 -40
  br label %71

64:
  %65 = phi i64 [ %67, %64 ], [ 0, %49 ]
  %66 = getelementptr inbounds nuw i64, ptr %38, i64 %65
  store i64 %65, ptr %66, align 8
  %67 = add nuw nsw i64 %65, 1
  %68 = icmp eq i64 %67, %6
  br i1 %68, label %57, label %64

69:
  %70 = phi ptr [ %38, %57 ], [ %261, %260 ]
  br i1 %46, label %346, label %343

71:
  %72 = phi ptr [ %262, %260 ], [ %63, %60 ]
  %73 = phi ptr [ %261, %260 ], [ %38, %60 ]
  %74 = phi ptr [ %72, %260 ], [ %62, %60 ]
  %75 = load i64, ptr %72, align 8
  %76 = getelementptr inbounds i64, ptr %13, i64 %75
  %77 = load i64, ptr %76, align 8
  %78 = getelementptr inbounds ptr, ptr %15, i64 %75
  %79 = load ptr, ptr %78, align 8
  %80 = mul i64 %77, %54
  %81 = getelementptr inbounds i8, ptr %79, i64 %80
  br i1 %43, label %85, label %82

82:
  %83 = icmp eq ptr %73, %38
  %84 = select i1 %83, ptr %42, ptr %38
  br label %260

85:
  %86 = mul i64 %77, %8
  %87 = getelementptr inbounds i8, ptr %74, i64 -16
  %88 = getelementptr inbounds i8, ptr %74, i64 -24
  %89 = getelementptr inbounds i8, ptr %74, i64 -32
  %90 = getelementptr inbounds i8, ptr %74, i64 -8
  br label %264

91:
  %92 = icmp eq ptr %73, %38
  %93 = select i1 %92, ptr %42, ptr %38
  br label %95

94:
  br i1 %45, label %183, label %260

95:
  %96 = phi i64 [ %181, %180 ], [ 0, %91 ]
  %97 = getelementptr inbounds nuw i64, ptr %29, i64 %96
  %98 = getelementptr inbounds nuw i64, ptr %73, i64 %96
  %99 = sub nsw i64 %6, %96
  %100 = tail call i64 @llvm.smin.i64(i64 %99, i64 32)
  %101 = getelementptr inbounds nuw i64, ptr %40, i64 %96
  %102 = getelementptr inbounds nuw i64, ptr %93, i64 %96
  %103 = icmp sgt i64 %99, 0
  br i1 %103, label %104, label %180

104:
  %105 = phi i64 [ %169, %168 ], [ 8, %95 ]
  %106 = phi i64 [ %110, %168 ], [ 0, %95 ]
  %107 = tail call i64 @llvm.smin.i64(i64 %100, i64 %105)
  %108 = getelementptr inbounds nuw i64, ptr %97, i64 %106
  %109 = load <8 x i64>, ptr %108, align 64
  %110 = add nuw nsw i64 %106, 8
  %111 = tail call i64 @llvm.smin.i64(i64 %110, i64 %100)
  %112 = icmp eq i64 %106, 0
  br i1 %112, label %113, label %116

113:
  %114 = phi <8 x i64> [ zeroinitializer, %104 ], [ %125, %116 ]
  %115 = icmp sgt i64 %100, %106
  br i1 %115, label %131, label %128

116:
  %117 = phi <8 x i64> [ %125, %116 ], [ zeroinitializer, %104 ]
  %118 = phi i64 [ %126, %116 ], [ 0, %104 ]
  %119 = getelementptr inbounds nuw i64, ptr %97, i64 %118
  %120 = load i64, ptr %119, align 8
  %121 = insertelement <8 x i64> poison, i64 %120, i64 0
  %122 = shufflevector <8 x i64> %121, <8 x i64> poison, <8 x i32> zeroinitializer
  %123 = icmp sle <8 x i64> %122, %109
  %124 = zext <8 x i1> %123 to <8 x i64>
  %125 = add <8 x i64> %117, %124
  %126 = add nuw nsw i64 %118, 1
  %127 = icmp eq i64 %126, %106
  br i1 %127, label %113, label %116

128:
  %129 = phi <8 x i64> [ %114, %113 ], [ %147, %131 ]
  %130 = icmp slt i64 %110, %100
  br i1 %130, label %152, label %150

131:
  %132 = phi <8 x i64> [ %147, %131 ], [ %114, %113 ]
  %133 = phi i64 [ %148, %131 ], [ %106, %113 ]
  %134 = getelementptr inbounds nuw i64, ptr %97, i64 %133
  %135 = load i64, ptr %134, align 8
  %136 = insertelement <8 x i64> poison, i64 %135, i64 0
  %137 = shufflevector <8 x i64> %136, <8 x i64> poison, <8 x i32> zeroinitializer
  %138 = icmp slt <8 x i64> %137, %109
  %139 = icmp eq <8 x i64> %137, %109
  %140 = sub nuw nsw i64 %133, %106
  %141 = insertelement <8 x i64> poison, i64 %140, i64 0
  %142 = shufflevector <8 x i64> %141, <8 x i64> poison, <8 x i32> zeroinitializer
  %143 = icmp samesign ult <8 x i64> %142, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %144 = and <8 x i1> %143, %139
  %145 = or <8 x i1> %138, %144
  %146 = zext <8 x i1> %145 to <8 x i64>
  %147 = add <8 x i64> %132, %146
  %148 = add nuw nsw i64 %133, 1
  %149 = icmp eq i64 %148, %107
  br i1 %149, label %128, label %131

150:
  %151 = phi <8 x i64> [ %129, %128 ], [ %161, %152 ]
  br label %164

152:
  %153 = phi i64 [ %162, %152 ], [ %111, %128 ]
  %154 = phi <8 x i64> [ %161, %152 ], [ %129, %128 ]
  %155 = getelementptr inbounds nuw i64, ptr %97, i64 %153
  %156 = load i64, ptr %155, align 8
  %157 = insertelement <8 x i64> poison, i64 %156, i64 0
  %158 = shufflevector <8 x i64> %157, <8 x i64> poison, <8 x i32> zeroinitializer
  %159 = icmp slt <8 x i64> %158, %109
  %160 = zext <8 x i1> %159 to <8 x i64>
  %161 = add <8 x i64> %154, %160
  %162 = add nuw nsw i64 %153, 1
  %163 = icmp slt i64 %162, %100
  br i1 %163, label %152, label %150

164:
  %165 = phi i64 [ 0, %150 ], [ %178, %170 ]
  %166 = or disjoint i64 %165, %106
  %167 = icmp slt i64 %166, %100
  br i1 %167, label %170, label %168

168:
  %169 = add nuw nsw i64 %105, 8
  br i1 %130, label %104, label %180

170:
  %171 = getelementptr inbounds nuw i64, ptr %97, i64 %166
  %172 = load i64, ptr %171, align 8
  %173 = extractelement <8 x i64> %151, i64 %165
  %174 = getelementptr inbounds i64, ptr %101, i64 %173
  store i64 %172, ptr %174, align 8
  %175 = getelementptr inbounds nuw i64, ptr %98, i64 %166
  %176 = load i64, ptr %175, align 8
  %177 = getelementptr inbounds i64, ptr %102, i64 %173
  store i64 %176, ptr %177, align 8
  %178 = add nuw nsw i64 %165, 1
  %179 = icmp eq i64 %178, 8
  br i1 %179, label %168, label %164

180:
  %181 = add nuw nsw i64 %96, 32
  %182 = icmp slt i64 %181, %6
  br i1 %182, label %95, label %94

183:
  %184 = phi ptr [ %187, %190 ], [ %29, %94 ]
  %185 = phi ptr [ %188, %190 ], [ %73, %94 ]
  %186 = phi i64 [ %189, %190 ], [ 32, %94 ]
  %187 = phi ptr [ %184, %190 ], [ %40, %94 ]
  %188 = phi ptr [ %185, %190 ], [ %93, %94 ]
  %189 = shl i64 %186, 1
  br label %192

190:
  %191 = icmp slt i64 %189, %6
  br i1 %191, label %183, label %260

192:
  %193 = phi i64 [ 0, %183 ], [ %196, %258 ]
  %194 = add i64 %193, %186
  %195 = tail call i64 @llvm.smin.i64(i64 %194, i64 %6)
  %196 = add i64 %193, %189
  %197 = tail call i64 @llvm.smin.i64(i64 %196, i64 %6)
  %198 = icmp sgt i64 %194, %193
  %199 = icmp slt i64 %194, %197
  %200 = and i1 %198, %199
  br i1 %200, label %206, label %201

201:
  %202 = phi i64 [ %193, %192 ], [ %222, %206 ]
  %203 = phi i64 [ %195, %192 ], [ %224, %206 ]
  %204 = phi i64 [ %193, %192 ], [ %227, %206 ]
  %205 = icmp slt i64 %204, %195
  br i1 %205, label %234, label %231

206:
  %207 = phi i64 [ %227, %206 ], [ %193, %192 ]
  %208 = phi i64 [ %224, %206 ], [ %195, %192 ]
  %209 = phi i64 [ %222, %206 ], [ %193, %192 ]
  %210 = getelementptr inbounds i64, ptr %187, i64 %208
  %211 = load i64, ptr %210, align 8
  %212 = getelementptr inbounds i64, ptr %187, i64 %207
  %213 = load i64, ptr %212, align 8
  %214 = icmp slt i64 %211, %213
  %215 = zext i1 %214 to i64
  %216 = select i1 %214, i64 %208, i64 %207
  %217 = getelementptr inbounds i64, ptr %187, i64 %216
  %218 = load i64, ptr %217, align 8
  %219 = getelementptr inbounds i64, ptr %184, i64 %209
  store i64 %218, ptr %219, align 8
  %220 = getelementptr inbounds i64, ptr %188, i64 %216
  %221 = load i64, ptr %220, align 8
  %222 = add i64 %209, 1
  %223 = getelementptr inbounds i64, ptr %185, i64 %209
  store i64 %221, ptr %223, align 8
  %224 = add nsw i64 %208, %215
  %225 = xor i1 %214, true
  %226 = zext i1 %225 to i64
  %227 = add nsw i64 %207, %226
  %228 = icmp slt i64 %227, %195
  %229 = icmp slt i64 %224, %197
  %230 = select i1 %228, i1 %229, i1 false
  br i1 %230, label %206, label %201

231:
  %232 = phi i64 [ %202, %201 ], [ %244, %234 ]
  %233 = icmp slt i64 %203, %197
  br i1 %233, label %246, label %258

234:
  %235 = phi i64 [ %243, %234 ], [ %204, %201 ]
  %236 = phi i64 [ %244, %234 ], [ %202, %201 ]
  %237 = getelementptr inbounds i64, ptr %187, i64 %235
  %238 = load i64, ptr %237, align 8
  %239 = getelementptr inbounds i64, ptr %184, i64 %236
  store i64 %238, ptr %239, align 8
  %240 = getelementptr inbounds i64, ptr %188, i64 %235
  %241 = load i64, ptr %240, align 8
  %242 = getelementptr inbounds i64, ptr %185, i64 %236
  store i64 %241, ptr %242, align 8
  %243 = add nsw i64 %235, 1
  %244 = add i64 %236, 1
  %245 = icmp eq i64 %243, %195
  br i1 %245, label %231, label %234

246:
  %247 = phi i64 [ %255, %246 ], [ %203, %231 ]
  %248 = phi i64 [ %256, %246 ], [ %232, %231 ]
  %249 = getelementptr inbounds i64, ptr %187, i64 %247
  %250 = load i64, ptr %249, align 8
  %251 = getelementptr inbounds i64, ptr %184, i64 %248
  store i64 %250, ptr %251, align 8
  %252 = getelementptr inbounds i64, ptr %188, i64 %247
  %253 = load i64, ptr %252, align 8
  %254 = getelementptr inbounds i64, ptr %185, i64 %248
  store i64 %253, ptr %254, align 8
  %255 = add nsw i64 %247, 1
  %256 = add i64 %248, 1
  %257 = icmp eq i64 %255, %197
  br i1 %257, label %258, label %246

258:
  %259 = icmp slt i64 %196, %6
  br i1 %259, label %192, label %190

260:
  %261 = phi ptr [ %93, %94 ], [ %84, %82 ], [ %185, %190 ]
  %262 = getelementptr inbounds i8, ptr %72, i64 -40
  %263 = icmp ult ptr %262, %14
  br i1 %263, label %69, label %71

264:
  %265 = phi i64 [ 0, %85 ], [ %341, %337 ]
  %266 = getelementptr inbounds nuw i64, ptr %73, i64 %265
  %267 = load i64, ptr %266, align 8
  %268 = mul i64 %86, %267
  %269 = getelementptr inbounds i8, ptr %81, i64 %268
  %270 = load i64, ptr %87, align 8
  %271 = getelementptr inbounds i8, ptr %269, i64 %270
  %272 = load i64, ptr %88, align 8
  switch i64 %272, label %281 [
    i64 4, label %273
    i64 8, label %276
    i64 2, label %278
  ]

273:
  %274 = load i32, ptr %271, align 4
  %275 = zext i32 %274 to i64
  br label %284

276:
  %277 = load i64, ptr %271, align 8
  br label %284

278:
  %279 = load i16, ptr %271, align 2
  %280 = zext i16 %279 to i64
  br label %284

281:
  %282 = load i8, ptr %271, align 1
  %283 = zext i8 %282 to i64
  br label %284

284:
  %285 = phi i64 [ %275, %273 ], [ %277, %276 ], [ %280, %278 ], [ %283, %281 ]
  %286 = shl i64 %272, 3
  %287 = add i64 %286, -1
  %288 = shl nuw i64 1, %287
  %289 = load i64, ptr %89, align 8
  switch i64 %289, label %297 [
    i64 1, label %290
    i64 0, label %294
  ]

290:
  %291 = icmp eq i64 %272, 8
  %292 = select i1 %291, i64 -9223372036854775808, i64 0
  %293 = xor i64 %285, %292
  br label %337

294:
  %295 = xor i64 %285, %288
  %296 = sub i64 %295, %288
  br label %337

297:
  %298 = xor i64 %288, -1
  %299 = and i64 %285, %298
  %300 = load i64, ptr %90, align 8
  %301 = icmp sgt i64 %299, %300
  %302 = and i64 %285, %288
  %303 = icmp eq i64 %302, 0
  %304 = sub i64 0, %299
  %305 = select i1 %303, i64 %299, i64 %304
  %306 = select i1 %301, i64 9223372036854775807, i64 %305
  %307 = icmp eq i64 %289, 2
  %308 = icmp eq i64 %306, 9223372036854775807
  %309 = zext i1 %308 to i64
  %310 = select i1 %307, i64 %306, i64 %309
  %311 = icmp eq i64 %289, 3
  br i1 %311, label %312, label %337

312:
  %313 = getelementptr inbounds i8, ptr %271, i64 %272
  switch i64 %272, label %322 [
    i64 4, label %314
    i64 8, label %317
    i64 2, label %319
  ]

314:
  %315 = load i32, ptr %313, align 4
  %316 = zext i32 %315 to i64
  br label %325

317:
  %318 = load i64, ptr %313, align 8
  br label %325

319:
  %320 = load i16, ptr %313, align 2
  %321 = zext i16 %320 to i64
  br label %325

322:
  %323 = load i8, ptr %313, align 1
  %324 = zext i8 %323 to i64
  br label %325

325:
  %326 = phi i64 [ %316, %314 ], [ %318, %317 ], [ %321, %319 ], [ %324, %322 ]
  %327 = and i64 %326, %298
  %328 = icmp sgt i64 %327, %300
  %329 = and i64 %326, %288
  %330 = icmp eq i64 %329, 0
  %331 = sub i64 0, %327
  %332 = select i1 %330, i64 %327, i64 %331
  %333 = icmp eq i64 %332, 9223372036854775807
  %334 = select i1 %328, i1 true, i1 %333
  %335 = or i1 %308, %334
  %336 = zext i1 %335 to i64
  br label %337

337:
  %338 = phi i64 [ %336, %325 ], [ %310, %297 ], [ %296, %294 ], [ %293, %290 ]
  %339 = xor i64 %338, %33
  %340 = getelementptr inbounds nuw i64, ptr %29, i64 %265
  store i64 %339, ptr %340, align 8
  %341 = add nuw nsw i64 %265, 1
  %342 = icmp eq i64 %341, %6
  br i1 %342, label %91, label %264

343:
  %344 = load i64, ptr %17, align 8
  %345 = icmp eq i64 %344, 0
  br i1 %345, label %446, label %424

346:
  %347 = phi i64 [ %422, %421 ], [ 0, %69 ]
  %348 = getelementptr inbounds nuw ptr, ptr %15, i64 %347
  %349 = load ptr, ptr %348, align 8
  %350 = getelementptr inbounds nuw i64, ptr %13, i64 %347
  %351 = load i64, ptr %350, align 8
  %352 = mul i64 %351, %54
  %353 = getelementptr inbounds i8, ptr %349, i64 %352
  %354 = getelementptr inbounds nuw ptr, ptr %16, i64 %347
  %355 = load ptr, ptr %354, align 8
  %356 = mul i64 %351, %56
  %357 = getelementptr inbounds i8, ptr %355, i64 %356
  %358 = tail call i64 @llvm.ctpop.i64(i64 %351)
  %359 = icmp eq i64 %358, 1
  br i1 %359, label %361, label %360

360:
  br i1 %47, label %411, label %421

361:
  %362 = tail call i64 @llvm.cttz.i64(i64 %351, i1 true)
  switch i64 %362, label %360 [
    i64 2, label %366
    i64 3, label %365
    i64 1, label %364
    i64 0, label %363
  ]

363:
  br i1 %47, label %400, label %421

364:
  br i1 %47, label %389, label %421

365:
  br i1 %47, label %378, label %421

366:
  br i1 %47, label %367, label %421

367:
  %368 = phi i64 [ %376, %367 ], [ 0, %366 ]
  %369 = getelementptr inbounds nuw i64, ptr %70, i64 %368
  %370 = load i64, ptr %369, align 8
  %371 = mul i64 %370, %8
  %372 = getelementptr inbounds i32, ptr %353, i64 %371
  %373 = load i32, ptr %372, align 4
  %374 = mul i64 %368, %8
  %375 = getelementptr inbounds i32, ptr %357, i64 %374
  store i32 %373, ptr %375, align 4
  %376 = add nuw nsw i64 %368, 1
  %377 = icmp eq i64 %376, %10
  br i1 %377, label %421, label %367

378:
  %379 = phi i64 [ %387, %378 ], [ 0, %365 ]
  %380 = getelementptr inbounds nuw i64, ptr %70, i64 %379
  %381 = load i64, ptr %380, align 8
  %382 = mul i64 %381, %8
  %383 = getelementptr inbounds i64, ptr %353, i64 %382
  %384 = load i64, ptr %383, align 8
  %385 = mul i64 %379, %8
  %386 = getelementptr inbounds i64, ptr %357, i64 %385
  store i64 %384, ptr %386, align 8
  %387 = add nuw nsw i64 %379, 1
  %388 = icmp eq i64 %387, %10
  br i1 %388, label %421, label %378

389:
  %390 = phi i64 [ %398, %389 ], [ 0, %364 ]
  %391 = getelementptr inbounds nuw i64, ptr %70, i64 %390
  %392 = load i64, ptr %391, align 8
  %393 = mul i64 %392, %8
  %394 = getelementptr inbounds i16, ptr %353, i64 %393
  %395 = load i16, ptr %394, align 2
  %396 = mul i64 %390, %8
  %397 = getelementptr inbounds i16, ptr %357, i64 %396
  store i16 %395, ptr %397, align 2
  %398 = add nuw nsw i64 %390, 1
  %399 = icmp eq i64 %398, %10
  br i1 %399, label %421, label %389

400:
  %401 = phi i64 [ %409, %400 ], [ 0, %363 ]
  %402 = getelementptr inbounds nuw i64, ptr %70, i64 %401
  %403 = load i64, ptr %402, align 8
  %404 = mul i64 %403, %8
  %405 = getelementptr inbounds i8, ptr %353, i64 %404
  %406 = load i8, ptr %405, align 1
  %407 = mul i64 %401, %8
  %408 = getelementptr inbounds i8, ptr %357, i64 %407
  store i8 %406, ptr %408, align 1
  %409 = add nuw nsw i64 %401, 1
  %410 = icmp eq i64 %409, %10
  br i1 %410, label %421, label %400

411:
  %412 = phi i64 [ %419, %411 ], [ 0, %360 ]
  %413 = mul i64 %412, %8
  %414 = getelementptr inbounds %struct.Pair, ptr %357, i64 %413
  %415 = getelementptr inbounds nuw i64, ptr %70, i64 %412
  %416 = load i64, ptr %415, align 8
  %417 = mul i64 %416, %8
  %418 = getelementptr inbounds %struct.Pair, ptr %353, i64 %417
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %414, ptr align 8 %418, i64 16, i1 false)
  %419 = add nuw nsw i64 %412, 1
  %420 = icmp eq i64 %419, %10
  br i1 %420, label %421, label %411

421:
  %422 = add nuw nsw i64 %347, 1
  %423 = icmp eq i64 %422, %12
  br i1 %423, label %343, label %346

424:
  %425 = load ptr, ptr %24, align 8
  %426 = mul i64 %344, %56
  %427 = getelementptr inbounds i8, ptr %425, i64 %426
  br i1 %47, label %428, label %446

428:
  %429 = mul i64 %344, %8
  br label %430

430:
  %431 = phi i64 [ 0, %428 ], [ %444, %443 ]
  %432 = mul i64 %429, %431
  %433 = getelementptr inbounds i8, ptr %427, i64 %432
  %434 = getelementptr inbounds nuw i64, ptr %70, i64 %431
  %435 = load i64, ptr %434, align 8
  switch i64 %344, label %441 [
    i64 4, label %436
    i64 8, label %438
    i64 2, label %439
  ]

436:
  %437 = trunc i64 %435 to i32
  store i32 %437, ptr %433, align 4
  br label %443

438:
  store i64 %435, ptr %433, align 8
  br label %443

439:
  %440 = trunc i64 %435 to i16
  store i16 %440, ptr %433, align 2
  br label %443

441:
  %442 = trunc i64 %435 to i8
  store i8 %442, ptr %433, align 1
  br label %443

443:
  %444 = add nuw nsw i64 %431, 1
  %445 = icmp eq i64 %444, %10
  br i1 %445, label %446, label %430

446:
  %447 = add nsw i64 %50, 1
  %448 = icmp eq i64 %447, %2
  br i1 %448, label %48, label %49
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

declare i64 @llvm.ctpop.i64(i64)

declare i64 @llvm.cttz.i64(i64, i1)

declare i64 @llvm.smin.i64(i64, i64)
